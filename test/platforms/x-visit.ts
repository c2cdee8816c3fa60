import { createHash } from 'node:crypto'
import { afterAll, beforeEach } from 'vitest'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { x as connector } from '../../shared/platforms/x/connect.ts'
import { x } from '../../shared/platforms/x/publish.ts'
import { accountOf, startSite } from './site.ts'

export const redirectUri = 'https://service.test/api/social-accounts/connect/x/callback'
export const codeVerifier = 'a-verifier-that-only-we-know-and-that-is-long-enough'
export const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

/** X on its site. */
export async function visitX() {
  const site = await startSite()
  const { platforms } = site
  beforeEach(() => platforms.reset())
  afterAll(() => site.close())

  const authorize = async (person?: string) => {
    const address = await connector.authorizationUrl(site.ctx(), { state: 'the-state', redirectUri, codeChallenge })
    const body = new URLSearchParams({ answer: 'allow', ...(person ? { person } : {}) })
    const { headers } = await fetch(address, { method: 'POST', body, redirect: 'manual' })
    return { address: new URL(address), back: new URL(headers.get('location') ?? '') }
  }

  const connect = async (person?: string) => {
    const { back } = await authorize(person)
    const callback = { code: back.searchParams.get('code') ?? '', redirectUri, codeVerifier }
    const [connection] = await connector.connect(site.ctx(), callback)
    if (!connection) throw new Error('nothing was connected')
    return connection
  }

  const open = async (post: Partial<OutgoingPost> = {}, person?: string): Promise<PlatformCall> => {
    const { externalId, username, credentials, details } = await connect(person)
    return {
      ctx: site.ctx(),
      account: { ...accountOf({ externalId, credentials, details }), username },
      post: site.post(post),
    }
  }

  const prepared = async (call: PlatformCall) => {
    let resume: Parameters<NonNullable<typeof x.prepare>>[1]
    for (let phase = 0; phase < 10; phase += 1) {
      const done = await x.prepare?.(call, resume)
      if (done && 'ready' in done) return done.ready
      resume = done?.resume
    }
    throw new Error('never ready')
  }

  const publish = async (call: PlatformCall) => x.commit(call, await prepared(call), 'none', undefined)
  const last = (operation: string) => platforms.calls().findLast((call) => call.operation === operation)
  const json = (operation: string) => JSON.parse(String(last(operation)?.body))

  return { site, platforms, authorize, connect, open, prepared, publish, last, json }
}
