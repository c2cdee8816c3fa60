import { type Client, type ClientOptions, createClient } from 'social-publishing-client'
import type { Fault, Seen } from '../proxy.ts'

/** What every runtime is given. */
export interface World {
  /** The proxy before the service. */
  url: string
  token: string
  sessionToken: string
  workspaceId: string
  accountId: string
  png: string
}

export interface Tools extends World {
  client: Client
  make(options?: Partial<ClientOptions>): Client
  /** Arranges what happens to the next requests, and forgets those that were seen. */
  arrange(...faults: Fault[]): Promise<void>
  seen(): Promise<Seen[]>
}

export type Check = (tools: Tools) => Promise<void>

/** A comparison that runs wherever JavaScript does. */
export const same = (actual: unknown, expected: unknown, label = 'value'): void => {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${label} is ${one}, not ${other}`)
}

export const assert = (holds: boolean, label: string): void => {
  if (!holds) throw new Error(`not true: ${label}`)
}

/** What a promise was rejected with. */
export const thrownBy = async (promise: Promise<unknown>): Promise<Record<string, unknown>> => {
  const thrown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown === undefined) throw new Error('nothing was thrown')
  return thrown as Record<string, unknown>
}

export const toolsOf = (world: World): Tools => {
  const make: Tools['make'] = (options = {}) =>
    createClient({
      baseUrl: world.url,
      token: world.token,
      workspaceId: world.workspaceId,
      retries: { baseMs: 20, maxMs: 100 },
      timeoutMs: 10_000,
      ...options,
    })
  return {
    ...world,
    make,
    client: make(),
    arrange: async (...faults) => {
      await fetch(`${world.url}/faults`, { method: 'POST', body: JSON.stringify(faults) })
    },
    seen: async () => (await fetch(`${world.url}/seen`)).json() as Promise<Seen[]>,
  }
}
