import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

const sources = [
  'functions',
  'shared',
  'infra',
  'test',
  'cdk.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

/** One text of the sources, and its replacement in a copy. */
export interface Patch {
  file: string
  text: string
  by: string
}

/** The source of a file with the text replaced. Throws unless the text is there once. */
export const patched = ({ file, text, by }: Patch, folder = root): string => {
  const source = readFileSync(join(folder, file), 'utf8')
  if (source.split(text).length !== 2) throw new Error(`${file} does not have once: ${text}`)
  return source.replace(text, () => by)
}

/** A copy of the sources in which texts are replaced, each of which must be there once. */
export const patchedTree = (folder: string, patches: readonly Patch[]): string => {
  for (const name of sources) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: (path) => !path.endsWith('node_modules') })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const patch of patches) writeFileSync(join(folder, patch.file), patched(patch, folder))
  return folder
}
