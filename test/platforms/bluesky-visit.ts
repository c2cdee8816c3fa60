import { afterAll, beforeEach } from 'vitest'
import * as z from 'zod/mini'
import { blueskySeed } from '../../infra/local/platforms/bluesky.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { connect } from '../../shared/platforms/bluesky/connect.ts'
import { bluesky } from '../../shared/platforms/bluesky/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { accountOf, startSite } from './site.ts'

const { account: person } = blueskySeed

export const login = (more: object = {}) => ({ identifier: person.handle, appPassword: person.appPassword, ...more })

const Facet = z.object({
  index: z.object({ byteStart: z.number(), byteEnd: z.number() }),
  features: z.array(z.record(z.string(), z.string())),
})
const Stored = z.object({
  uri: z.string(),
  cid: z.string(),
  value: z.object({
    createdAt: z.string(),
    embed: z.optional(z.looseObject({ images: z.optional(z.array(z.looseObject({ alt: z.string() }))) })),
    facets: z._default(z.array(Facet), []),
  }),
})

/** Bluesky on its site. */
export async function visitBluesky() {
  const site = await startSite()
  const { platforms } = site
  beforeEach(() => {
    platforms.reset()
    site.effects.length = 0
  })
  afterAll(() => site.close())
  async function open(post: Partial<OutgoingPost> = {}): Promise<PlatformCall> {
    const ctx = site.ctx()
    const call = { ctx, account: accountOf(await connect(ctx, login())), post: site.post(post) }
    platforms.reset()
    // The reset ended the session; its tokens still name their owner.
    return call
  }
  async function prepared(call: PlatformCall) {
    const done = await bluesky.prepare?.(call, undefined)
    if (!done || !('ready' in done)) throw new Error('expected to be ready')
    return done
  }
  return {
    site,
    platforms,
    open,
    prepared,
    async publish(call: PlatformCall, key = clientKeyOf(bluesky, call.post)) {
      return bluesky.commit(call, (await prepared(call)).ready, key, undefined)
    },
    calls: () => platforms.calls().map(({ operation }) => operation),
    /** The body of the last call that created something. */
    created: () => JSON.parse(String(platforms.calls().findLast(({ operation }) => operation === 'create')?.body)),
    fault(more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) {
      platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, ...more })
    },
    /** The record of a post as the server has it. */
    async read(uri: string | null) {
      const [, , repo = '', collection = '', rkey = ''] = String(uri).split('/')
      const query = new URLSearchParams({ repo, collection, rkey })
      const answer = await fetch(`${platforms.urls['bluesky']}/xrpc/com.atproto.repo.getRecord?${query}`)
      return z.parse(Stored, await answer.json())
    },
  }
}
