import { afterAll, beforeEach } from 'vitest'
import * as z from 'zod/mini'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { type StoredEvent, StoredEvent as StoredEventSchema } from '../../infra/local/platforms/nostr/event.ts'
import { nostrSeed } from '../../infra/local/platforms/nostr.ts'
import type { PlatformCall, PreparedRef } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connect } from '../../shared/platforms/nostr/connect.ts'
import type { NostrLogin } from '../../shared/platforms/nostr/login.ts'
import { nostr } from '../../shared/platforms/nostr/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { accountOf, startSite } from './site.ts'

const [person] = nostrSeed.people
const Frame = z.tuple([z.string(), z.unknown()])

/** Nostr on its site. */
export async function visitNostr() {
  const site = await startSite()
  const { platforms } = site
  beforeEach(() => {
    platforms.reset()
    site.effects.length = 0
  })
  afterAll(() => site.close())
  const origin = platforms.urls['nostr'] ?? ''
  const relay = origin.replace(/^http/, 'ws')
  const calls = (operation?: string) =>
    platforms.calls().filter((call) => call.platform === 'nostr' && (operation ?? call.operation) === call.operation)
  async function prepared(call: PlatformCall) {
    const done = await nostr.prepare?.(call, undefined)
    if (!done || !('ready' in done)) throw new Error('expected to be ready')
    return done
  }
  const commit = async (call: PlatformCall, ref: PreparedRef) =>
    nostr.commit(call, ref, clientKeyOf(nostr, call.post), await nostr.build?.(call, ref))
  return {
    site,
    platforms,
    origin,
    relay,
    person,
    calls,
    prepared,
    commit,
    /** Relays at paths of the stand-in's address. */
    at: (...paths: readonly string[]) => paths.map((path) => `${relay}${path}`),
    connect: (more: Partial<NostrLogin> = {}) => connect(site.ctx(), { secretKey: person.nsec, ...more }),
    async open(post: Partial<OutgoingPost> = {}, login: Partial<NostrLogin> = {}): Promise<PlatformCall> {
      const mediaServer = nostrSeed.mediaServer
      const account = await connect(site.ctx(), { secretKey: person.nsec, mediaServer, ...login })
      platforms.reset()
      return { ctx: site.ctx(), account: accountOf(account), post: site.post(post) }
    },
    publish: async (call: PlatformCall) => commit(call, (await prepared(call)).ready),
    probe: async (call: PlatformCall, ref: PreparedRef) =>
      nostr.probe(call, { clientKey: clientKeyOf(nostr, call.post), ref, startedAtMs: site.now() - 10_000 }),
    fault: (more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) =>
      platforms.faults.add({ platform: 'nostr', operation: 'create', times: 1, ...more }),
    /** The events that were sent for an operation. */
    sent: (operation = 'create'): StoredEvent[] =>
      calls(operation).map(({ body }) => z.parse(StoredEventSchema, z.parse(Frame, JSON.parse(String(body)))[1])),
  }
}
