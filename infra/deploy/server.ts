import { join } from 'node:path'
import { localOptions, makeApp } from './app.ts'
import { bundleTogether } from './bundle.ts'

/** Writes what one machine runs into a folder: all functions in one bundle, and the templates that wire them. */
export const writeServer = async (folder: string): Promise<void> => {
  await bundleTogether(folder)
  makeApp({ ...localOptions, outdir: join(folder, 'assembly') }).synth()
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (folder === undefined) throw new Error('name the folder')
  await writeServer(folder)
}
