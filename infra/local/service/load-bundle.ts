import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { compileFunction, constants } from 'node:vm'
import type { Environment } from './environment.ts'
import type { HostedFunction } from './host-call.ts'

export type Handler = (event: unknown, context: object) => Promise<unknown>

/** The process as a bundle sees it: with no variables but the bundle's, as in an environment of Lambda. */
const processWith = (variables: Environment): NodeJS.Process =>
  Object.create(process, { env: { value: { ...variables }, enumerable: true } })

interface Exports {
  /** Of a bundle of one function. */
  handler?: Handler
  /** Of a bundle of all functions (functions/all.ts). */
  handlerOf?(name: string, variables: Environment): Handler
}

/** Runs a bundle with a separate `process`, however the bundle accesses it. */
const run = (file: string, variables: Environment): Exports => {
  const own = processWith(variables)
  const plain = createRequire(file)
  const require = (id: string): unknown => (id === 'process' || id === 'node:process' ? own : plain(id))
  const module: { exports: Exports } = { exports: {} }
  const names = ['exports', 'require', 'module', '__filename', '__dirname', 'process']
  const compiled = compileFunction(readFileSync(file, 'utf8'), names, {
    filename: file,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  compiled(module.exports, require, module, file, dirname(file), own)
  return module.exports
}

const credentials = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

/** How SDK clients find their engines; who they are comes with each function. */
const addressesIn = (variables: Environment): Environment =>
  Object.fromEntries(
    Object.entries(variables).filter(([name]) => name.startsWith('AWS_') && !credentials.includes(name)),
  )

const bundlesOfAll = new Map<string, Exports>()

/** The handler of a function, from its bundle, or from the one of all functions, which runs once. */
export const loadBundle = (file: string, { handlerName, variables }: HostedFunction): Handler => {
  if (handlerName === undefined) {
    const { handler } = run(file, variables)
    if (handler === undefined) throw new Error(`${file} exports no handler`)
    return handler
  }
  const all = bundlesOfAll.get(file) ?? run(file, addressesIn(variables))
  bundlesOfAll.set(file, all)
  if (all.handlerOf === undefined) throw new Error(`${file} is no bundle of all functions`)
  return all.handlerOf(handlerName, variables)
}
