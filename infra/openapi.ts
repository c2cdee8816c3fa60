import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openApiDocument } from './openapi/document.ts'
import { errorPages } from './openapi/error-pages.ts'
import { eventTypeViews } from './openapi/event-types.ts'
import { guidePages } from './openapi/guide-pages.ts'
import { llmsFullText, llmsText } from './openapi/llms.ts'
import { platformViews } from './openapi/platforms.ts'
import { toolEntries } from './openapi/tools.ts'
import { viewerScript } from './openapi/viewer.ts'

/** Writes the files that routes serve, except the script of the reference page, which is large. */
export const writeTexts = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(openApiDocument()))
  await writeFile(join(folder, 'errors.json'), JSON.stringify(errorPages()))
  await writeFile(join(folder, 'guides.json'), JSON.stringify(guidePages()))
  await writeFile(join(folder, 'llms.txt'), llmsText())
  await writeFile(join(folder, 'llms-full.txt'), llmsFullText())
  await writeFile(join(folder, 'platforms.json'), JSON.stringify(platformViews()))
  await writeFile(join(folder, 'tools.json'), JSON.stringify(toolEntries()))
  await writeFile(join(folder, 'event-types.json'), JSON.stringify(eventTypeViews()))
}

/** Writes all files that routes serve. */
export const writeFiles = async (folder: string): Promise<void> => {
  await writeTexts(folder)
  await writeFile(join(folder, 'viewer.js'), viewerScript())
}

if (import.meta.main) await writeFiles(fileURLToPath(new URL('../dist/files', import.meta.url)))
