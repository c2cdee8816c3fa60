import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import type { EventType } from '../../../shared/events/types.ts'
import { layoutOf } from '../../local/start/layout.ts'
import { defaultState } from '../../local/start/options.ts'
import { reasonOf, Stop } from '../../local/stop.ts'
import { eventTypesOf, isLocal, targetOf } from './target.ts'

/** The options from the command line and the environment. */
export interface ListenOptions {
  /** Where events are forwarded to. */
  target: URL
  events: readonly EventType[]
  baseUrl: string
  token: string
  workspaceId: string
  /** Reads the event log; otherwise an endpoint receives the webhooks, which only a service on this machine allows. */
  fromLog: boolean
  /** Where secret and position are stored. */
  stateFile: string
}

const usage = 'Usage: npm run listen -- <port or URL> [--path <path>] [--events <type,type>] [--log] [--state <folder>]'

const reject = (sentence: string): never => {
  throw new Stop(`${sentence} ${usage}`)
}

/** Adds how to call the command to the sentence about a value. */
const orUsage = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    return reject(reasonOf(error))
  }
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        path: { type: 'string' },
        events: { type: 'string' },
        log: { type: 'boolean', default: false },
        state: { type: 'string', default: defaultState },
      },
    })
  } catch (error) {
    return reject(`${reasonOf(error).split('. ', 1)[0]}.`)
  }
}

const targetIn = (positionals: readonly string[], path: string | undefined): URL => {
  const [text, ...more] = positionals
  if (text === undefined) return reject('The port of your app is missing.')
  if (more.length > 0) return reject(`Only one port or URL is allowed, and "${more[0]}" is another one.`)
  return orUsage(() => targetOf(text, path))
}

const ServiceFile = z.object({ baseUrl: z.string(), sessionToken: z.string(), workspaceId: z.string() })

const localService = (file: string) => {
  try {
    const { baseUrl, sessionToken, workspaceId } = z.parse(ServiceFile, JSON.parse(readFileSync(file, 'utf8')))
    return { baseUrl, token: sessionToken, workspaceId }
  } catch {
    return reject('The service does not run. Start it with "npm start", or set BASE, SESSION, and WORKSPACE.')
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const serviceIn = (env: Environment, file: string) => {
  const { BASE, SESSION, TOKEN, WORKSPACE } = env
  if (!BASE) return localService(file)
  const url = URL.parse(BASE)
  if (url === null || !/^https?:$/.test(url.protocol)) return reject(`BASE is "${BASE}", not a URL.`)
  if (url.protocol === 'http:' && !isLocal(BASE)) {
    return reject('BASE must use https: the token must not travel unencrypted.')
  }
  return {
    baseUrl: BASE.replace(/\/+$/, ''),
    token: SESSION || TOKEN || reject('Set SESSION to the token of a session.'),
    workspaceId: WORKSPACE || reject('Set WORKSPACE to the id of a workspace.'),
  }
}

/** The service is that of BASE, SESSION, and WORKSPACE; without BASE, the one of "npm start". */
export const readOptions = (args: readonly string[], env: Environment): ListenOptions => {
  const { values, positionals } = parse(args)
  const target = targetIn(positionals, values.path)
  const events = orUsage(() => eventTypesOf(values.events))
  const layout = layoutOf(resolve(values.state))
  const service = serviceIn(env, layout.service)
  return { ...service, target, events, fromLog: values.log || !isLocal(service.baseUrl), stateFile: layout.listen }
}
