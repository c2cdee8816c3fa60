import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import * as z from 'zod/mini'
import { definitions } from '../../../shared/platforms/definitions.ts'
import { localBaseUrl } from '../../deploy/stacks/names.ts'
import { openStateFile } from '../engines/state-file.ts'
import { Stop } from '../stop.ts'
import { layoutOf } from './layout.ts'
import { defaultState } from './options.ts'

const port = z.int().check(z.minimum(1), z.maximum(65_535))
const Ports = z.object({ api: port, media: port, inbox: port, platforms: port, push: port, stripe: port })
export type Ports = z.infer<typeof Ports>
type Use = keyof Ports

/** The pages of the stand-ins and the stand-ins themselves, on the following ports. */
const platformPorts = 1 + definitions.length

const variables: Readonly<Record<Use, string>> = {
  api: 'PORT',
  media: 'MEDIA_PORT',
  inbox: 'INBOX_PORT',
  platforms: 'PLATFORMS_PORT',
  push: 'PUSH_PORT',
  stripe: 'STRIPE_PORT',
}

type IsFree = (candidate: number) => Promise<boolean>

const canListen: IsFree = async (candidate) => {
  const server = createServer()
  try {
    server.listen(candidate, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

const takenOf = async (isFree: IsFree, first: number, count: number): Promise<number | undefined> => {
  for (let candidate = first; candidate < first + count; candidate += 1) {
    if (!(await isFree(candidate))) return candidate
  }
  return undefined
}

// Above the well-known ports and below those that systems use for outgoing connections.
const lowest = 10_000
const highest = 30_000
const portsOfRun = platformPorts + Object.keys(variables).length - 1
const ranges = Math.floor((highest - lowest) / portsOfRun)

/**
 * A port is free until a process listens, so two services that start at the same moment must not try the same ports: each
 * process begins in a separate range.
 */
const findFree = async (isFree: IsFree, count: number): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const range = tries === 0 ? process.pid % ranges : randomInt(ranges)
    const end = lowest + (range + 1) * portsOfRun
    for (let first = end - portsOfRun; first + count <= end; first += 1) {
      if ((await takenOf(isFree, first, count)) === undefined) return first
    }
  }
  throw new Stop(
    'No free ports were found: name them by PORT, MEDIA_PORT, INBOX_PORT, PLATFORMS_PORT, PUSH_PORT, and STRIPE_PORT.',
  )
}

const expectedPort = Number(new URL(localBaseUrl).port)

/** Whether the API can use the port that people expect. Services on other folders may start at the same moment. */
const takesExpected = async (file: string, use: Use, isFree: IsFree): Promise<boolean> =>
  use === 'api' && file === layoutOf(defaultState).ports && (await isFree(expectedPort))

const fromEnvironment = (variable: string): number | undefined => {
  const given = process.env[variable]
  if (given === undefined || given === '') return undefined
  const parsed = z.safeParse(port, Number(given))
  if (!parsed.success) throw new Stop(`${variable}=${given} is not a port: give a number from 1 to 65535.`)
  return parsed.data
}

/**
 * The ports of this run: from the environment, otherwise those of the last run, otherwise free ones. They are stored,
 * because scheduled posts and connected accounts contain addresses that must stay valid after a restart.
 */
export const choosePorts = async (file: string): Promise<Ports> => {
  const stored = openStateFile(file, z.partial(Ports), {})
  const chosen = new Set<number>()
  const isFree: IsFree = async (candidate) => !chosen.has(candidate) && (await canListen(candidate))
  const choose = async (use: Use, count: number): Promise<number> => {
    const named = fromEnvironment(variables[use])
    const known = named ?? stored.value[use]
    if (known === undefined) return (await takesExpected(file, use, isFree)) ? expectedPort : findFree(isFree, count)
    const taken = await takenOf(isFree, known, count)
    if (taken === undefined) return known
    const origin =
      named === undefined ? `the last run used it, and ${variables[use]} names another one` : variables[use]
    const run = count === 1 ? '' : ` It takes ${count} ports in a row, from ${known} on.`
    throw new Stop(`Port ${taken} is taken (${origin}): free it or choose another port.${run}`)
  }
  const claim = async (use: Use, count: number): Promise<number> => {
    const first = await choose(use, count)
    for (let taken = first; taken < first + count; taken += 1) chosen.add(taken)
    return first
  }
  const ports = {
    api: await claim('api', 1),
    media: await claim('media', 1),
    inbox: await claim('inbox', 1),
    platforms: await claim('platforms', platformPorts),
    push: await claim('push', 1),
    stripe: await claim('stripe', 1),
  }
  Object.assign(stored.value, ports)
  stored.save()
  return ports
}
