import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assistantScopes } from '../../shared/oauth/scopes.ts'
import { verifyAssistant } from '../../shared/oauth/verify.ts'
import { browserOf } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import {
  addressIn,
  connected,
  consent,
  discover,
  exchanged,
  insecure,
  redirectUri,
  refreshed,
  registered,
  requestOf,
  tokenCall,
} from './assistant.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const verify = (token: unknown) => verifyAssistant(kit.ctx, String(token), '/api/mcp')

test('the documents name the host, and all that a client needs', async () => {
  const { server, about } = await discover(kit)
  expect(about).toMatchObject({ resource: `${kit.url}/api/mcp`, authorization_servers: [kit.url] })
  expect(server).toMatchObject({
    issuer: kit.url,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  })
  const host = await fetch(`${kit.url}/.well-known/oauth-protected-resource`)
  expect(await host.json()).toEqual(about)
  expect(host.headers.get('Access-Control-Allow-Origin')).toBe('*')
})

test('an assistant is connected, calls, refreshes, and gives its token back', async () => {
  const { server, client, tokens, refreshToken } = await connected(kit, {
    posts_per_day: '5',
    quiet_from: '22:00',
    quiet_to: '07:00',
  })
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 1_800, scope: 'posts:read drafts:write' })
  const verified = await verify(tokens.access_token)
  expect(verified).toMatchObject({
    ok: true,
    assistant: {
      clientId: client.client_id,
      clientName: 'Desk assistant',
      workspaceId: kit.workspaceId,
      scopes: ['posts:read', 'drafts:write'],
      safety: { postsPerDay: 5, draftsOnly: false, quietHours: { from: '22:00', to: '07:00' } },
      role: 'owner',
      expiresAt: Math.floor(kit.clock.now() / 1000) + 1_800,
    },
  })
  const answer = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, insecure)
  const next = await oauth.processRefreshTokenResponse(server, client, answer)
  expect(await verify(next.access_token)).toMatchObject({ ok: true })
  const given = await oauth.revocationRequest(server, client, oauth.None(), next.refresh_token ?? '', insecure)
  await oauth.processRevocationResponse(given)
  expect(await verify(tokens.access_token)).toMatchObject({ ok: false, refusal: { reason: 'invalid_token' } })
  expect(await verify(next.access_token)).toMatchObject({ ok: false })
})

test('errors are those of the standards, so that a strict client reads them', async () => {
  const { server, client, tokens, request, back } = await connected(kit)
  const callback = oauth.validateAuthResponse(server, client, back, request.state)
  const again = await oauth.authorizationCodeGrantRequest(
    ...([server, client, oauth.None(), callback, redirectUri, request.verifier, insecure] as const),
  )
  await expect(oauth.processAuthorizationCodeResponse(server, client, again)).rejects.toMatchObject({
    name: 'ResponseBodyError',
    status: 400,
    error: 'invalid_grant',
    error_description: expect.stringMatching(/\.$/),
  })
  const wrong = await oauth.dynamicClientRegistrationRequest(server, { redirect_uris: ['javascript:0'] }, insecure)
  await expect(oauth.processDynamicClientRegistrationResponse(wrong)).rejects.toMatchObject({
    name: 'ResponseBodyError',
    status: 400,
    error: 'invalid_redirect_uri',
  })
  const denied = await consent(kit, request.path, { answer: 'deny' })
  expect(() => oauth.validateAuthResponse(server, client, denied.back ?? back, request.state)).toThrow(
    expect.objectContaining({ name: 'AuthorizationResponseError', error: 'access_denied' }),
  )
  // The code that was used twice has ended the connection.
  const called = oauth.protectedResourceRequest(
    ...([tokens.access_token, 'POST', new URL(`${kit.url}/api/mcp`), undefined, '{}', insecure] as const),
  )
  await expect(called).rejects.toMatchObject({
    name: 'WWWAuthenticateChallengeError',
    status: 401,
    cause: [
      {
        scheme: 'bearer',
        parameters: {
          error: 'invalid_token',
          resource_metadata: `${kit.url}/.well-known/oauth-protected-resource/api/mcp`,
        },
      },
    ],
  })
})

test('a visitor without a session signs in first, and returns to the same request', async () => {
  const { path } = await requestOf(kit, await registered(kit))
  const { to } = await browserOf(kit).open(path)
  const back = new URL(to ?? '', kit.url)
  expect(back.pathname).toBe('/login')
  const requestedParams = new URLSearchParams(path.split('?')[1])
  expect(new URLSearchParams(back.searchParams.get('return')?.split('?')[1])).toEqual(requestedParams)
})

test('a person who denies leads back with an error, and nothing is granted', async () => {
  const request = await requestOf(kit, await registered(kit))
  const { back } = await consent(kit, request.path, { answer: 'deny' })
  expect(Object.fromEntries(back?.searchParams ?? [])).toEqual({
    error: 'access_denied',
    state: request.state,
    iss: kit.url,
  })
})

test('a form with wrong limits is shown again, with what was chosen', async () => {
  const { path } = await requestOf(kit, await registered(kit))
  for (const fields of [{ posts_per_day: '0' }, { posts_per_day: 'many' }, { quiet_from: '22:00' }]) {
    const { answered, back } = await consent(kit, path, { ...fields, drafts_only: 'on' })
    expect([answered.status, answered.heading, back]).toEqual([400, 'Connect an assistant?', undefined])
    expect(answered.text).toContain('name="drafts_only" value="on" checked')
  }
})

test.each([
  ['drafts', ['posts:read', 'drafts:write', 'media:read'], true],
  ['schedule', ['posts:read', 'posts:schedule', 'drafts:write', 'media:read'], false],
  ['everything', ['posts:read', 'posts:schedule', 'posts:publish', 'drafts:write', 'media:read'], false],
  // The boxes are checked at first.
  ['', ['posts:read', 'posts:schedule', 'posts:publish', 'drafts:write', 'media:read'], false],
  ['unknown', ['posts:read', 'posts:schedule', 'posts:publish', 'drafts:write', 'media:read'], false],
])('the choice "%s" stands for its scopes, as far as they are requested', async (preset, scopes, draftsOnly) => {
  const assistant = await registered(kit)
  const scope = 'posts:read posts:schedule posts:publish drafts:write media:read'
  const request = await requestOf(kit, assistant, { scope })
  const { back } = await consent(kit, request.path, { preset })
  const { access_token: token } = await exchanged(assistant, request, back ?? new URL(kit.url))
  const verified = await verify(token)
  expect(verified).toMatchObject({ ok: true, assistant: { scopes, safety: { draftsOnly } } })
})

test('a choice that says nothing about what is requested is not offered', async () => {
  const { path } = await requestOf(kit, await registered(kit), { scope: 'posts:read posts:schedule' })
  const { text } = await browserOf(kit, kit.sessionToken).open(path)
  const offered = [...text.matchAll(/name="preset" value="(\w*)"/g)].map(([, name]) => name)
  expect(offered).toEqual(['schedule', 'everything', ''])
})

test('deletion and accounts are checked only for an assistant that requests them, and not all scopes', async () => {
  const assistant = await registered(kit)
  const sensitive = ['accounts:write', 'posts:delete']
  const checkedFor = async (scope?: string) => {
    const page = await browserOf(kit, kit.sessionToken).open((await requestOf(kit, assistant, { scope })).path)
    const names = (pattern: RegExp) => Array.from(page.text.matchAll(pattern), ([, name = '']) => name).sort()
    return { offered: names(/name="allow ([^"]*)"/g), checked: names(/name="allow ([^"]*)" value="on" checked/g) }
  }
  // The official clients send the `scopes_supported` of the metadata.
  for (const scope of [undefined, assistantScopes.join(' ')]) {
    const { offered, checked } = await checkedFor(scope)
    expect(offered).toEqual([...assistantScopes].sort())
    expect(offered.filter((name) => !checked.includes(name))).toEqual(sensitive)
  }
  // No tool needs the last one.
  expect(await checkedFor('posts:read posts:delete webhooks:read')).toEqual({
    offered: ['posts:delete', 'posts:read'],
    checked: ['posts:delete', 'posts:read'],
  })
})

test('a scope that the person did not allow is not granted', async () => {
  const assistant = await registered(kit)
  const request = await requestOf(kit, assistant)
  const browser = browserOf(kit, kit.sessionToken)
  const page = await browser.open(request.path)
  const answered = await browser.submit(page, 'authorize', {
    workspace: kit.workspaceId,
    answer: 'allow',
    'allow posts:read': 'on',
    // Not requested.
    'allow posts:delete': 'on',
  })
  const code = addressIn(answered)?.searchParams.get('code') ?? ''
  const { body } = await tokenCall(kit, {
    grant_type: 'authorization_code',
    code,
    client_id: assistant.client.client_id,
    redirect_uri: 'http://127.0.0.1:4321/callback',
    code_verifier: request.verifier,
  })
  expect(body['scope']).toBe('posts:read')
  const wider = await refreshed(kit, assistant, String(body['refresh_token']), { scope: 'posts:read drafts:write' })
  expect([wider.status, wider.body['error']]).toEqual([400, 'invalid_scope'])
})
