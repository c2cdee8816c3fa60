import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from './openapi/document.ts'
import { eventTypeViews } from './openapi/event-types.ts'
import { platformViews } from './openapi/platforms.ts'

/** Writes the files that routes serve: the interface's document, what platforms take and events say, the script of the reference page. */
export const writeFiles = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument()))
  await writeFile(join(folder, 'platforms.json'), JSON.stringify(platformViews()))
  await writeFile(join(folder, 'event-types.json'), JSON.stringify(eventTypeViews()))
  const viewer = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js')
  await copyFile(viewer, join(folder, 'viewer.js'))
}

if (import.meta.main) await writeFiles(fileURLToPath(new URL('../dist/files', import.meta.url)))
