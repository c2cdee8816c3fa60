import { relative } from 'node:path'
import type { Plugin } from 'vitest/config'
import { mutants } from './mutants.ts'

const root = process.cwd()

/** Loads the sources with the mutant that `MUTANT` names, if it names one. The files stay as they are. */
export const mutant = (name = process.env['MUTANT']): Plugin => {
  const { patches = [] } = name === undefined ? {} : (mutants[name] ?? {})
  if (name !== undefined && patches.length === 0) throw new Error(`there is no mutant "${name}"`)
  return {
    name: 'mutant',
    enforce: 'pre',
    transform(source, id) {
      const file = relative(root, id.split('?')[0] ?? '')
      return patches
        .filter((patch) => patch.file === file)
        .reduce((text, patch) => text.replace(patch.text, () => patch.by), source)
    },
  }
}
