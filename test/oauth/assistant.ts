import * as oauth from 'oauth4webapi'
import { browserOf, hiddenIn, type Seen, unescaped } from '../pages/test-browser.ts'
import type { Kit } from '../support/start.ts'

/** The service, and a person in it. */
type Workspace = Pick<Kit, 'url' | 'sessionToken' | 'workspaceId'>

export const redirectUri = 'http://127.0.0.1:4321/callback'

/** The service is on this machine, without TLS. */
export const insecure = { [oauth.allowInsecureRequests]: true }

/** An independent, strict client: it validates every document and response. */
export const discover = async ({ url }: Pick<Kit, 'url'>) => {
  const resource = new URL(`${url}/api/mcp`)
  const about = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, insecure),
  )
  const [issuerText = ''] = about.authorization_servers ?? []
  const issuer = new URL(issuerText)
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
  )
  return { server, about }
}

/** An assistant that has registered itself. */
export const registered = async (kit: Workspace, uris: readonly string[] = ['http://127.0.0.1/callback']) => {
  const { server } = await discover(kit)
  const metadata = { client_name: 'Desk assistant', redirect_uris: [...uris] }
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(server, metadata, insecure),
  )
  return { server, client }
}

type Registered = Awaited<ReturnType<typeof registered>>

/** A new authorization request, with the secret to prove that it was ours. */
export const requestOf = async (
  kit: Workspace,
  { client }: Registered,
  change: Record<string, string | undefined> = {},
) => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    scope: 'posts:read drafts:write',
    resource: `${kit.url}/api/mcp`,
    ...change,
  }
  const sent = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return { path: `/authorize?${new URLSearchParams(sent)}`, verifier, state }
}

/** Where a page leads back to. */
export const addressIn = ({ text }: Seen): URL | undefined => {
  const [, to] = /<a href="([^"]*)">Back to the assistant<\/a>/.exec(text) ?? []
  return to === undefined ? undefined : new URL(unescaped(to))
}

const offered = (page: Seen): Record<string, string> =>
  Object.fromEntries(
    [...page.text.matchAll(/name="(allow [^"]*)" value="on" checked/g)].map(([, name = '']) => [name, 'on']),
  )

/** The person opens the page and answers it, as a browser sends it. */
export const consent = async (
  kit: Workspace,
  path: string,
  fields: Record<string, string> = {},
  token = kit.sessionToken,
) => {
  const browser = browserOf(kit, token)
  const page = await browser.open(path)
  const answered = await browser.send('/authorize', {
    ...hiddenIn(page, 'authorize'),
    ...offered(page),
    workspace: kit.workspaceId,
    answer: 'allow',
    ...fields,
  })
  return { page, answered, back: addressIn(answered) }
}

/** Exchanges the code that came back. */
export const exchanged = async (
  { server, client }: Registered,
  { verifier, state }: Awaited<ReturnType<typeof requestOf>>,
  back: URL,
) => {
  const callback = oauth.validateAuthResponse(server, client, back, state)
  const answer = await oauth.authorizationCodeGrantRequest(
    ...([server, client, oauth.None(), callback, redirectUri, verifier, insecure] as const),
  )
  return oauth.processAuthorizationCodeResponse(server, client, answer)
}

/** A connected assistant, as the person of the seed allows it. */
export const connected = async (kit: Workspace, fields: Record<string, string> = {}, token = kit.sessionToken) => {
  const assistant = await registered(kit)
  const request = await requestOf(kit, assistant)
  const { back } = await consent(kit, request.path, fields, token)
  if (back === undefined) throw new Error('the person was not led back')
  const tokens = await exchanged(assistant, request, back)
  return { ...assistant, tokens, request, back, refreshToken: tokens.refresh_token ?? '' }
}

/** A call of the token endpoint as sent, for what the strict client would not send. */
export const tokenCall = async ({ url }: Kit, fields: Record<string, string>, path = '/api/oauth/token') => {
  const answer = await fetch(`${url}${path}`, { method: 'POST', body: new URLSearchParams(fields) })
  const text = await answer.text()
  const body: Record<string, unknown> = text === '' ? {} : JSON.parse(text)
  return { status: answer.status, body }
}

export const refreshed = (kit: Kit, { client }: Registered, refreshToken: string, more: Record<string, string> = {}) =>
  tokenCall(kit, { grant_type: 'refresh_token', client_id: client.client_id, refresh_token: refreshToken, ...more })
