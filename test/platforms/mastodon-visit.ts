import { createHash } from 'node:crypto'
import { mastodonSeed } from '../../infra/local/platforms/mastodon.ts'
import type { ConnectedAccount } from '../../shared/platforms/account.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { mastodon as connector } from '../../shared/platforms/mastodon/connect.ts'
import { mastodon } from '../../shared/platforms/mastodon/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { codeVerifier, redirectUri } from './arrive.ts'
import { accountOf } from './site.ts'
import { visit } from './visit.ts'

const [person] = mastodonSeed.people
const ownScopes = 'read:accounts read:statuses write:statuses write:media'

/** An app and a token at a stand-in, as a login leaves them: connecting needs a table, which these tests do without. */
export const letInAt = async (
  url: string,
  { clientName = 'Social Publishing', scope = ownScopes } = {},
): Promise<ConnectedAccount> => {
  const post = async (path: string, form: Record<string, string>) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
    const body: Record<string, string> = answer.status === 200 ? Object(await answer.json()) : {}
    return { answer, body }
  }
  const { client_id = '', client_secret = '' } = (
    await post('/api/v1/apps', { client_name: clientName, redirect_uris: redirectUri, scopes: scope })
  ).body
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    scope,
    state: 's',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { answer } = await post(`/oauth/authorize?${query}`, { answer: 'allow' })
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const proof = { client_id, client_secret, code_verifier: codeVerifier }
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  const { access_token: accessToken = '' } = (await post('/oauth/token', { ...proof, ...grant })).body
  return accountOf({
    externalId: `${person.id}@${mastodonSeed.server}`,
    credentials: { accessToken, clientId: client_id, clientSecret: client_secret },
    details: { server: `https://${mastodonSeed.server}`, accountId: person.id },
  })
}

/** Mastodon on its site. */
export async function visitMastodon() {
  const visited = await visit(mastodon, connector)
  const { site, platforms } = visited
  const letIn = (more?: Parameters<typeof letInAt>[1]) => letInAt(platforms.urls['mastodon'] ?? '', more)
  return {
    ...visited,
    letIn,
    open: async (post: Partial<OutgoingPost> = {}): Promise<PlatformCall> => ({
      ctx: site.ctx(),
      account: await letIn(),
      post: site.post(post),
    }),
    async publish(call: PlatformCall) {
      const { ready } = await visited.prepared(call)
      return visited.commit(call, ready)
    },
    jsonOf: (operation: string) => JSON.parse(String(visited.sentTo(operation).at(-1)?.body)),
  }
}
