import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { consoleFiles } from '../console/build.ts'
import { openApiDocument } from './document.ts'
import { errorPages } from './error-pages.ts'
import { eventTypeViews } from './event-types.ts'
import { guidePages } from './guide-pages.ts'
import { llmsFullText, llmsText } from './llms.ts'
import { platformViews } from './platforms.ts'
import { toolEntries } from './tools.ts'
import { viewerScript } from './viewer.ts'

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

/** Writes all files that routes serve. */
export const writeFiles = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  const texts = {
    ...consoleFiles(),
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text()])),
  }
  await Promise.all(Object.entries(texts).map(([name, text]) => writeFile(join(folder, name), text)))
}

if (import.meta.main) await writeFiles(fileURLToPath(new URL('../../dist/files', import.meta.url)))
