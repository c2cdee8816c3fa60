import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, test } from 'vitest'
import { linkedinSeed } from '../../infra/local/platforms/linkedin.ts'
import { linkedin as connector } from '../../shared/platforms/linkedin/connect.ts'
import { linkedin } from '../../shared/platforms/linkedin/publish.ts'
import { dayMs } from '../../shared/time.ts'
import { authorize, codeVerifier, letIn, redirectUri } from './arrive.ts'
import { accountOf, failureOf } from './site.ts'
import { visit } from './visit.ts'

const { site, platforms, sentTo, operations, fault, open } = await visit(linkedin, connector)
const { ada, bob, app } = linkedinSeed
const member = 'openid profile w_member_social'
const withPages = `${member} w_organization_social r_organization_social rw_organization_admin`

const connectAll = async (scope: string, person: string) => {
  const { code } = await letIn(site.ctx(), connector, person, { scope })
  return connector.connect(site.ctx(), { code, redirectUri, codeVerifier })
}

test('requests the scopes that every app can request', async () => {
  const { address } = await letIn(site.ctx(), connector)
  expect(`${address.origin}${address.pathname}`).toBe(`${platforms.urls['linkedin']}/oauth/v2/authorization`)
  expect(Object.fromEntries(address.searchParams)).toEqual({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    state: 'the-state',
    scope: member,
  })
})

test('an app with more permissions requests more scopes', async () => {
  const secrets = new SecretsManagerClient({})
  const SecretString = JSON.stringify({ ...app, scopes: 'w_organization_social  r_organization_social' })
  await secrets.send(new CreateSecretCommand({ Name: 'granted/linkedin', SecretString }))
  secrets.destroy()
  const ctx = site.ctx({ PLATFORM_SECRETS_PREFIX: 'granted/' })
  const { address } = await letIn(ctx, connector)
  expect(address.searchParams.get('scope')).toBe(`${member} w_organization_social r_organization_social`)
})

test('an authorization code connects the member once', async () => {
  const ctx = site.ctx()
  const { code } = await letIn(ctx, connector)
  const callback = { code, redirectUri, codeVerifier }
  expect(await connector.connect(ctx, callback)).toEqual([
    {
      platform: 'linkedin',
      providerName: 'LinkedIn',
      externalId: 'urn:li:person:782bbtaQ',
      username: null,
      displayName: 'Ada Demo',
      profileImageUrl: expect.stringContaining('/face/'),
      credentials: { accessToken: expect.any(String), expiresAtMs: site.now() + (5_184_000 - 60) * 1000 },
      details: {},
    },
  ])
  expect(Object.fromEntries(new URLSearchParams(String(sentTo('login')[0]?.body)))).toEqual({
    client_id: app.clientId,
    client_secret: app.clientSecret,
    code,
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
  })
  expect(operations()).not.toContain('pages')
  expect(await failureOf(connector.connect(ctx, callback))).toMatchObject({ errorClass: 'invalid' })
})

test('offers the Pages of a member where the app has the scope', async () => {
  const connections = await connectAll(withPages, ada.id)
  expect(connections.map(({ externalId, username, displayName }) => [externalId, username, displayName])).toEqual([
    ['urn:li:person:782bbtaQ', null, 'Ada Demo'],
    ['urn:li:organization:5515715', 'demo-company', 'Demo Company'],
    ['urn:li:organization:5515716', 'demo-events', 'Demo Events'],
  ])
  for (const { details, credentials } of connections) {
    expect(details).toEqual({ sharedToken: 'yes' })
    expect(credentials).toEqual(connections[0]?.credentials)
  }
  expect(sentTo('pages')[0]).toMatchObject({
    path: '/rest/organizationAcls',
    query: 'q=roleAssignee&role=ADMINISTRATOR&state=APPROVED&count=100',
    headers: { 'linkedin-version': '202607', 'x-restli-protocol-version': '2.0.0' },
  })
  expect(await connectAll(withPages, bob.id)).toHaveLength(1)
})

test('connects the member where Pages cannot be read', async () => {
  const { code } = await letIn(site.ctx(), connector, ada.id, { scope: withPages })
  fault({ operation: 'pages', fault: 'status', status: 403 })
  expect(await connector.connect(site.ctx(), { code, redirectUri, codeVerifier })).toHaveLength(1)
  fault({ operation: 'pages', fault: 'status', status: 500, times: 2 })
  expect(await failureOf(connectAll(withPages, ada.id))).toMatchObject({ errorClass: 'transient' })
})

test('rejects a login without the posting scope', async () => {
  const body = { access_token: 'a', expires_in: 5_184_000, scope: 'openid,profile' }
  fault({ operation: 'login', fault: 'status', status: 200, body })
  expect(await failureOf(authorize(site.ctx(), connector))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining('w_member_social'),
  })
})

test('a connection lasts with a refresh token, and ends after sixty days without one', async () => {
  const [connection] = await connectAll(withPages, ada.id)
  if (connection === undefined) throw new Error('expected a connection')
  const connectedAtMs = site.now()
  site.pass(300 * dayMs)
  const fresh = await connector.refresh?.(site.ctx(), accountOf(connection))
  expect(fresh).toMatchObject({ refreshToken: connection.credentials['refreshToken'] })
  expect(fresh?.['accessToken']).not.toBe(connection.credentials['accessToken'])
  expect(connector.accessEndsAtMs?.(fresh ?? {})).toBe(connectedAtMs + 365 * dayMs - 60_000)
  fault({ operation: 'login', fault: 'status', status: 400, body: { error: 'invalid_request' } })
  const refused = connector.refresh?.(site.ctx(), accountOf(connection)) ?? Promise.resolve()
  expect(await failureOf(refused)).toMatchObject({ errorClass: 'auth' })
  const { account } = await open()
  expect(connector.credentialsExpireAtMs?.(account.credentials)).toBe(site.now() + 5_183_940_000)
  expect(connector.accessEndsAtMs?.(account.credentials)).toBe(site.now() + 5_183_940_000)
  expect(await failureOf(connector.refresh?.(site.ctx(), account) ?? Promise.resolve())).toMatchObject({
    errorClass: 'auth',
  })
})

test('revokes the connection unless other accounts share it', async () => {
  const { ctx, account } = await open()
  await connector.revoke?.(ctx, account)
  expect(Object.fromEntries(new URLSearchParams(String(sentTo('revoke')[0]?.body)))).toEqual({
    client_id: app.clientId,
    client_secret: app.clientSecret,
    token: account.credentials['accessToken'],
  })
  const [, page] = await connectAll(withPages, ada.id)
  if (page === undefined) throw new Error('expected a page')
  await connector.revoke?.(ctx, accountOf(page))
  expect(sentTo('revoke')).toHaveLength(1)
})
