import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { compileFunction, constants } from 'node:vm'
import type { Environment } from './environment.ts'

export type Handler = (event: unknown, context: object) => Promise<unknown>

/** The process as a bundle sees it: with no variables but the bundle's, as in an environment of Lambda. */
const processWith = (variables: Environment): NodeJS.Process =>
  Object.create(process, { env: { value: { ...variables }, enumerable: true } })

/** Loads a bundle with a separate `process`, however the bundle accesses it. */
export const loadBundle = (file: string, variables: Environment): Handler => {
  const own = processWith(variables)
  const plain = createRequire(file)
  const require = (id: string): unknown => (id === 'process' || id === 'node:process' ? own : plain(id))
  const module: { exports: { handler?: Handler } } = { exports: {} }
  const names = ['exports', 'require', 'module', '__filename', '__dirname', 'process']
  const run = compileFunction(readFileSync(file, 'utf8'), names, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  run(module.exports, require, module, file, dirname(file), own)
  const { handler } = module.exports
  if (handler === undefined) throw new Error(`${file} exports no handler`)
  return handler
}
