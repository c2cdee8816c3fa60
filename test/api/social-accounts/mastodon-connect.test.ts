import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { walkConnect } from '../../../infra/local/demo/walk-connect.ts'
import { mastodonSeed } from '../../../infra/local/platforms/mastodon.ts'
import { update } from '../../../shared/db/table.ts'
import { storeServerApp } from '../../../shared/platforms/server-app.ts'
import { browserOf, unescaped } from '../../pages/test-browser.ts'
import { type Kit, start } from '../../support/start.ts'
import { scanTable } from '../../support/world/rows.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())
afterEach(() => kit.platforms.faults.clear())

const { server, people } = mastodonSeed
const [person] = people
const params = { platform: 'mastodon' } as const
const callback = () => `${kit.url}/api/social-accounts/connect/mastodon/callback/${server}`

const linkTo = async (body: { server?: string } = {}) =>
  (await kit.sessionApi.socialAccounts.connect({ params, body })).authorizeUrl

/** A browser at the page of a link. */
const open = async (authorizeUrl: string) => {
  const { pathname, search, searchParams } = new URL(authorizeUrl)
  const someone = browserOf(kit)
  const ticket = searchParams.get('ticket') ?? ''
  const send = (fields: Record<string, string> = {}) => someone.send('/connect-accounts', { ticket, ...fields })
  return { someone, page: await someone.open(pathname + search), send }
}

const leadsTo = (text: string) => {
  const [, address] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text) ?? []
  return address === undefined ? undefined : new URL(unescaped(address))
}

/** Approves on the page of the server; returns the path of the redirect back. */
const consent = async (address: URL | undefined): Promise<string> => {
  const body = new URLSearchParams({ answer: 'allow' })
  const { headers } = await fetch(address ?? '', { method: 'POST', body, redirect: 'manual' })
  return headers.get('location')?.slice(kit.url.length) ?? ''
}

const callsOf = (operation: string) =>
  kit.platforms.calls().filter((call) => call.platform === 'mastodon' && call.operation === operation)
const registrations = () => callsOf('app').map(({ body }) => Object.fromEntries(new URLSearchParams(String(body))))

const appRows = async () => (await scanTable(kit)).filter(({ type }) => type === 'ServerApp')

test('registers an app at the server that the link names, and connects the account', async () => {
  const { page, send, someone } = await open(await linkTo({ server: `@ann@${server}` }))
  expect(page.heading).toMatch(/^Connect Mastodon to /)
  expect(page.text).toContain(`your Mastodon account at ${server}`)
  expect(page.text).not.toContain('name="server"')
  expect(registrations()).toEqual([
    {
      client_name: 'Social Publishing',
      redirect_uris: callback(),
      scopes: 'read:accounts read:statuses write:statuses write:media',
      website: kit.url,
    },
  ])
  const address = leadsTo((await send()).text)
  expect(address?.pathname).toBe('/oauth/authorize')
  expect(Object.fromEntries(address?.searchParams ?? [])).toEqual({
    response_type: 'code',
    client_id: expect.any(String),
    redirect_uri: callback(),
    scope: 'read:accounts read:statuses write:statuses write:media',
    state: expect.any(String),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  const done = await someone.open(await consent(address))
  expect(done.heading).toBe('Connected')
  expect((await kit.api.socialAccounts.list()).filter(({ providerId }) => providerId === 'mastodon')).toMatchObject([
    {
      providerName: 'Mastodon',
      externalId: null,
      username: `${person.username}@${server}`,
      displayName: person.name,
      profileImageUrl: expect.stringMatching(new RegExp(`/face/${person.id}$`)),
      isConnected: true,
    },
  ])
  const exchange = new URLSearchParams(String(callsOf('login').at(-1)?.body))
  expect(Object.fromEntries(exchange)).toEqual({
    client_id: address?.searchParams.get('client_id'),
    client_secret: expect.any(String),
    grant_type: 'authorization_code',
    code: expect.any(String),
    redirect_uri: callback(),
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
  })
  // One app for all; its secret, as the token, is in no row.
  expect(registrations()).toHaveLength(1)
  const rows = JSON.stringify(await scanTable(kit))
  expect(rows).toContain(exchange.get('client_id'))
  expect(rows).not.toContain(exchange.get('client_secret'))
})

test('a link without a server asks for it, and takes another one after an error', async () => {
  const { page, send } = await open(await linkTo())
  expect(page.text).toMatch(/<label for="server">Server<\/label>/)
  for (const [given, message] of [
    ['', 'The address is not a valid URL'],
    ['10.0.0.1', 'not on the public internet'],
    ['localhost', 'must be a full domain name'],
    [`http://${server}`, 'must start with https://'],
  ] as const) {
    const refused = await send({ server: given })
    expect(refused.status).toBe(400)
    expect(refused.text).toMatch(new RegExp(`id="server-error">[^<]*${message}`))
    expect(refused.text).toContain(`value="${given}"`)
  }
  kit.platforms.faults.add({ platform: 'mastodon', operation: 'app', times: 1, fault: 'status', status: 404 })
  const none = await send({ server: 'www.example.com' })
  expect([none.status, unescaped(none.text)]).toEqual([
    400,
    expect.stringContaining("www.example.com did not register an app, as servers with Mastodon's API do."),
  ])
  const named = await send({ server: ` ${server} ` })
  expect(leadsTo(named.text)?.pathname).toBe('/oauth/authorize')
})

test('an unreachable server, or one that is not Mastodon, is rejected when the link is created', async () => {
  const refusalFor = (given: string) => refusalOf(linkTo({ server: given }))
  expect(await refusalFor('https://10.0.0.1')).toMatchObject({ status: 400, code: 'url_not_allowed', field: 'server' })
  expect(await refusalFor(`http://${server}`)).toMatchObject({ status: 400, code: 'url_not_allowed', field: 'server' })
  expect(await refusalFor('')).toMatchObject({ status: 400, field: 'server' })
  const once = { platform: 'mastodon', operation: 'app', times: 1 } as const
  const page = { status: 200, body: '<html>' } as const
  kit.platforms.faults.add({ ...once, fault: 'status', ...page })
  expect(await refusalFor('www.example.com')).toMatchObject({ status: 400, code: 'platform_rejected' })
  kit.platforms.faults.add({ ...once, fault: 'html_503' })
  expect(await refusalFor('www.example.com')).toMatchObject({ status: 503, code: 'platform_unavailable' })
  kit.platforms.faults.add({ ...once, fault: 'rate_limited', retryAfterSeconds: 30 })
  expect(await refusalFor('www.example.com')).toMatchObject({ status: 429, code: 'platform_rate_limited' })
  const elsewhere = kit.sessionApi.socialAccounts.connect({ params: { platform: 'x' }, body: { server } })
  expect(await refusalOf(elsewhere)).toMatchObject({
    status: 400,
    code: 'invalid_input',
    field: 'server',
  })
  const form = kit.sessionApi.socialAccounts.createBlueskyLink({ body: { server } as object })
  expect(await refusalOf(form)).toMatchObject({ status: 400, field: 'server' })
})

test('one of two apps that are registered concurrently is stored, and both links lead to it', async () => {
  const before = registrations().length
  const links = await Promise.all([1, 2, 3].map(() => linkTo({ server: 'two.mastodon.test' })))
  expect(registrations().length).toBeGreaterThan(before + 1)
  const clients = await Promise.all(
    links.map(async (link) => leadsTo((await (await open(link)).send()).text)?.searchParams.get('client_id')),
  )
  expect(new Set(clients).size).toBe(1)
  // Each server has its own app.
  const rows = await appRows()
  expect(new Set(rows.map((row) => row['clientId'])).size).toBe(rows.length)
  expect(rows.map((row) => row['clientId'])).toContain(clients[0])
})

test('an app that its server has forgotten is registered again', async () => {
  await linkTo({ server })
  const before = registrations().length
  await linkTo({ server })
  expect(registrations().length).toBe(before)
  const forgotten = { error: 'invalid_client', error_description: 'unknown client' }
  const once = { platform: 'mastodon', operation: 'login', times: 1, fault: 'status', status: 401 } as const
  kit.platforms.faults.add({ ...once, body: forgotten })
  const link = await linkTo({ server })
  expect(registrations().length).toBe(before + 1)
  const session = { baseUrl: kit.url, token: kit.sessionToken, workspaceId: kit.workspaceId }
  expect(await walkConnect(session, 'mastodon')).toContain('is connected to')
  // A server that is down now has forgotten nothing.
  kit.platforms.faults.add({ platform: 'mastodon', operation: 'login', times: 1, fault: 'html_503' })
  expect(leadsTo((await (await open(link)).send()).text)?.pathname).toBe('/oauth/authorize')
  expect(registrations().length).toBe(before + 1)
})

test('an app that is forgotten during the login ends it, and the next one works', async () => {
  const { send, someone } = await open(await linkTo({ server }))
  const address = leadsTo((await send()).text)
  const back = await consent(address)
  const once = { platform: 'mastodon', operation: 'login', times: 1, fault: 'status', status: 401 } as const
  kit.platforms.faults.add({ ...once, body: { error: 'invalid_client' } })
  const done = await someone.open(back)
  expect([done.heading, done.text]).toEqual([
    'Not connected',
    expect.stringContaining('Mastodon rejected the login. Start it again.'),
  ])
})

test('a server without granular scopes gets the broad ones, and a login that grants fewer is rejected', async () => {
  const metadata = { issuer: 'x', scopes_supported: ['read', 'write', 'follow', 'push'] }
  const metadataFault = { platform: 'mastodon', operation: 'metadata', times: 1, fault: 'status' } as const
  kit.platforms.faults.add({ ...metadataFault, status: 200, body: metadata })
  const { send, someone } = await open(await linkTo({ server: 'wide.mastodon.test' }))
  const address = leadsTo((await send()).text)
  expect(address?.searchParams.get('scope')).toBe('read write')
  address?.searchParams.set('scope', 'read')
  const less = await someone.open(await consent(address))
  expect([less.heading, less.text]).toEqual(['Not connected', expect.stringContaining('write:statuses, write:media')])
  // One without that document knows the finer ones.
  kit.platforms.faults.add({ ...metadataFault, status: 404 })
  await linkTo({ server: 'old.mastodon.test' })
  expect(registrations().at(-1)?.['scopes']).toBe('read:accounts read:statuses write:statuses write:media')
})

test('the same person at two servers is two accounts; disconnecting one revokes its token alone', async () => {
  const { send, someone } = await open(await linkTo({ server: 'twin.mastodon.test' }))
  const address = leadsTo((await send()).text)
  await someone.open(await consent(address))
  const accounts = (await kit.api.socialAccounts.list()).filter(({ providerId }) => providerId === 'mastodon')
  expect(accounts).toHaveLength(2)
  const last = accounts.at(-1)?.id ?? ''
  const before = callsOf('revoke').length
  expect(await kit.api.socialAccounts.disconnect({ params: { id: last } })).toMatchObject({ revoked: true })
  expect(callsOf('revoke').slice(before)).toMatchObject([{ path: '/oauth/revoke', status: 200 }])
})

/** How many codes were sent to a token endpoint. */
const exchanges = () => callsOf('login').filter(({ body }) => String(body).includes('authorization_code')).length

/** Goes through the page of a link to the address at the server, with the person's browser. */
const begin = async (body: { server: string }) => {
  const { send, someone } = await open(await linkTo(body))
  const address = leadsTo((await send()).text)
  if (address === undefined) throw new Error('the page leads nowhere')
  return { someone, address, own: Object.fromEntries(address.searchParams) }
}

test('a hostile server that sends people on to an honest one gets neither a code nor an account', async () => {
  const [hostile, honest] = ['hostile.mastodon.test', 'honest.mastodon.test']
  // The attacker has their own login at the honest server, and invites a victim to the hostile one.
  const attacker = await begin({ server: honest })
  const victim = await begin({ server: hostile })
  const count = (await kit.api.socialAccounts.list()).length
  const before = exchanges()
  // RFC 9700, 4.4.1: the hostile server answers with a redirect to the honest one, as the app of the service there.
  const sentOn = (over: Record<string, string>) => {
    const to = new URL(attacker.address)
    for (const [name, value] of Object.entries({ state: victim.own['state'] ?? '', ...over }))
      to.searchParams.set(name, value)
    return to
  }
  // With the redirect URI of the hostile server: the app at the honest server has another one.
  expect(await consent(sentOn({ redirect_uri: victim.own['redirect_uri'] ?? '' }))).toBe('')
  // With the redirect URI of the honest server: the login of the victim was not there.
  const back = await consent(sentOn({}))
  expect(back).toContain('code=')
  const page = await victim.someone.open(back)
  expect([page.heading, page.text]).toEqual([
    'Not connected',
    expect.stringContaining('has expired or was already used'),
  ])
  expect(exchanges()).toBe(before)
  expect((await kit.api.socialAccounts.list()).length).toBe(count)
  // The login of the victim at the server that they named still works.
  expect((await victim.someone.open(await consent(victim.address))).heading).toBe('Connected')
})

test('a callback that names another issuer than its server is rejected', async () => {
  const issued = async (iss: string) => {
    const { someone, address } = await begin({ server: 'issuer.mastodon.test' })
    const page = await someone.open(`${await consent(address)}&${new URLSearchParams({ iss })}`)
    return [page.heading, /role="alert">([^<]*)/.exec(page.text)?.[1]]
  }
  const before = exchanges()
  expect(await issued('https://honest.mastodon.test')).toEqual([
    'Not connected',
    'Mastodon rejected the login. Start it again.',
  ])
  expect(await issued('none')).toEqual(['Not connected', 'Mastodon rejected the login. Start it again.'])
  expect(exchanges()).toBe(before)
  expect((await issued('https://issuer.mastodon.test/'))[0]).toBe('Connected')
})

test('a login that an earlier release began, at the redirect URI that all servers shared, connects nothing', async () => {
  const old = 'old-release.mastodon.test'
  const shared = `${kit.url}/api/social-accounts/connect/mastodon/callback`
  const { someone, address, own } = await begin({ server: old })
  // The app of that release, and its row of the login.
  const form = new URLSearchParams({
    client_name: 'Social Publishing',
    redirect_uris: shared,
    scopes: own['scope'] ?? '',
  })
  const app: Record<string, string> = Object(
    await (await fetch(`${kit.platforms.urls['mastodon']}/api/v1/apps`, { method: 'POST', body: form })).json(),
  )
  const { client_id: clientId = '', client_secret: clientSecret = '' } = app
  const key = { platform: 'mastodon', server: `https://${old}`, redirectUri: shared } as const
  await storeServerApp(kit.ctx, key, { clientId, clientSecret, scopes: own['scope'] ?? '' }, undefined)
  const states = (await scanTable(kit)).filter(({ type, server }) => type === 'OAuthState' && server === key.server)
  expect(states).toMatchObject([{ redirectUri: own['redirect_uri'] }])
  const [{ PK = '', SK = '' } = {}] = states
  await update(kit.ctx, { PK: String(PK), SK: String(SK) }, { remove: ['redirectUri'] })
  for (const [name, value] of Object.entries({ client_id: clientId, redirect_uri: shared }))
    address.searchParams.set(name, value)
  expect((await someone.open(await consent(address))).heading).not.toBe('Connected')
  // The next login has an app with its own redirect URI.
  const next = await begin({ server: old })
  expect(next.own['redirect_uri']).toBe(`${shared}/${old}`)
  expect(next.own['client_id']).not.toBe(clientId)
  expect((await kit.api.socialAccounts.list()).filter(({ username }) => username?.includes(old))).toEqual([])
})
