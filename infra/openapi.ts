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

/** The files that routes serve. */
const files: Readonly<Record<string, () => string>> = {
  'openapi.json': () => JSON.stringify(openApiDocument()),
  'errors.json': () => JSON.stringify(errorPages()),
  'guides.json': () => JSON.stringify(guidePages()),
  'llms.txt': llmsText,
  'llms-full.txt': llmsFullText,
  'platforms.json': () => JSON.stringify(platformViews()),
  'tools.json': () => JSON.stringify(toolEntries()),
  'event-types.json': () => JSON.stringify(eventTypeViews()),
  'viewer.js': viewerScript,
}

/** Writes the files that routes serve: all, or those that the code of one names. */
export const writeFiles = async (folder: string, code?: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const wanted = Object.entries(files).filter(([name]) => code === undefined || code.includes(name))
  await Promise.all(wanted.map(([name, text]) => writeFile(join(folder, name), text())))
}

if (import.meta.main) await writeFiles(fileURLToPath(new URL('../dist/files', import.meta.url)))
