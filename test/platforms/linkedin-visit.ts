import { linkedinSeed } from '../../infra/local/platforms/linkedin.ts'
import type { PlatformCall, PreparedRef } from '../../shared/platforms/adapter.ts'
import { linkedin as connector } from '../../shared/platforms/linkedin/connect.ts'
import { linkedin } from '../../shared/platforms/linkedin/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { codeVerifier, letIn, redirectUri } from './arrive.ts'
import { accountOf } from './site.ts'
import { visit } from './visit.ts'

const withPages = 'openid profile w_member_social w_organization_social r_organization_social rw_organization_admin'

/** LinkedIn on its site, where posts are texts unless they have media. */
export async function visitLinkedIn() {
  const visited = await visit(linkedin, connector)
  const { site } = visited
  const open = (post: Partial<OutgoingPost> = {}) => visited.open({ text: 'Hello', media: [], ...post })
  return {
    ...visited,
    open,
    /** A call that speaks for a page. */
    async openPage(post: Partial<OutgoingPost> = {}): Promise<PlatformCall> {
      const { code } = await letIn(site.ctx(), connector, linkedinSeed.ada.id, { scope: withPages })
      const [, page] = await connector.connect(site.ctx(), { code, redirectUri, codeVerifier })
      if (page === undefined) throw new Error('the login opened no page')
      return { ...(await open(post)), account: accountOf(page) }
    },
    /** Prepares to the end and waits as long as requested; returns the delay of each wait. */
    async through(call: PlatformCall) {
      const waits: number[] = []
      let resume: PreparedRef | undefined
      for (let phase = 0; phase < 40; phase += 1) {
        const done = await linkedin.prepare?.(call, resume)
        if (done && 'ready' in done) return { ready: done.ready, waits }
        if (done === undefined) break
        waits.push(done.waitSeconds)
        site.pass(done.waitSeconds * 1000)
        resume = JSON.parse(JSON.stringify(done.resume))
      }
      throw new Error('it is never ready')
    },
  }
}
