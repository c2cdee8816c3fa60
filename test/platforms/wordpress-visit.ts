import { afterAll, beforeEach } from 'vitest'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { wordpressSeed } from '../../infra/local/platforms/wordpress.ts'
import type { Context } from '../../shared/context.ts'
import type { PlatformCall, PreparedRef } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { connect } from '../../shared/platforms/wordpress/connect.ts'
import { wordpress } from '../../shared/platforms/wordpress/publish.ts'
import { accountOf, startSite } from './site.ts'

const [demo] = wordpressSeed.users

/** How a user of the stand-in signs in. */
export const loginOf = (user: (typeof wordpressSeed.users)[number] = demo, site: string = wordpressSeed.site) => ({
  site,
  username: user.username,
  applicationPassword: user.applicationPassword,
})

/** WordPress on its site. */
export async function visitWordPress() {
  const site = await startSite()
  const { platforms } = site
  beforeEach(() => {
    platforms.reset()
    site.effects.length = 0
  })
  afterAll(() => site.close())
  const calls = () => platforms.calls().filter(({ platform }) => platform === 'wordpress')
  const sentTo = (operation: string) => calls().filter((call) => call.operation === operation)
  const accountAt = async (ctx: Context, login = loginOf()) => accountOf(await connect(ctx, login))
  async function prepared(call: PlatformCall) {
    const done = await wordpress.prepare?.(call, undefined)
    if (!done || !('ready' in done)) throw new Error('expected to be ready')
    return done
  }
  const commit = (call: PlatformCall, ref: PreparedRef) =>
    wordpress.commit(call, ref, clientKeyOf(wordpress, call.post), undefined)
  return {
    site,
    platforms,
    calls,
    sentTo,
    accountAt,
    prepared,
    commit,
    operations: () => calls().map(({ operation }) => operation),
    jsonOf: (operation: string) => JSON.parse(String(sentTo(operation).at(-1)?.body)),
    fault: (more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) =>
      platforms.faults.add({ platform: 'wordpress', operation: 'create', times: 1, ...more }),
    /** A call for a post, by an account that was just connected: the calls of its login are not counted. */
    async open(post: Partial<OutgoingPost> = {}, login = loginOf()): Promise<PlatformCall> {
      const ctx = site.ctx()
      const account = await accountAt(ctx, login)
      platforms.reset()
      return { ctx, account, post: site.post(post) }
    },
    async publish(call: PlatformCall) {
      const { ready } = await prepared(call)
      return commit(call, ready)
    },
    probe: (call: PlatformCall, ref: PreparedRef) =>
      wordpress.probe(call, { clientKey: clientKeyOf(wordpress, call.post), ref, startedAtMs: site.now() }),
  }
}
