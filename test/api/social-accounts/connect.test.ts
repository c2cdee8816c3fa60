import { afterAll, beforeEach, expect, test } from 'vitest'
import { submitConnectPage } from '../../../infra/local/demo/submit-connect-page.ts'
import { blueskySeed } from '../../../infra/local/platforms/bluesky.ts'
import { discordSeed } from '../../../infra/local/platforms/discord.ts'
import { update } from '../../../shared/db/table.ts'
import { refreshCredentials } from '../../../shared/social-accounts/refresh-credentials.ts'
import { socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { members } from '../../../shared/workspaces/workspace.ts'
import { startClient } from './client.ts'

const site = await startClient()
const { send, platforms, ctx } = site
const { account: person } = blueskySeed
const atDiscord = { params: { platform: 'discord' } }
const login = { identifier: person.handle, appPassword: person.appPassword }

beforeEach(() => platforms.reset())
afterAll(() => site.close())

async function newcomer() {
  const { userId, workspace, caller } = await site.newcomer()
  const row = async (id: string) => {
    const account = await socialAccounts.get(ctx, { workspaceId: workspace.id, id })
    if (!account) throw new Error('the account has no row')
    return account
  }
  const list = async () => (await send('list', caller)).json.data
  /** Goes to Discord's page, answers it, and comes back with its query. */
  const goToDiscord = async (answer = 'allow') => {
    const { authorizeUrl } = (await send('connect', { ...caller, ...atDiscord })).json.data
    const init = { method: 'POST', body: new URLSearchParams({ answer }), redirect: 'manual' } as const
    const { address, cookie } = await submitConnectPage(authorizeUrl)
    const back = new URL((await fetch(address, init)).headers.get('location') ?? '')
    return { query: Object.fromEntries(back.searchParams), headers: { Cookie: cookie } }
  }
  return { userId, workspace, caller, row, list, goToDiscord }
}

test('connects Bluesky with an app password, and neither returns nor stores secrets in plain text', async () => {
  const { caller, workspace, row, list } = await newcomer()
  const { status, json, text } = await send('connectBluesky', { ...caller, body: login })
  expect(status).toBe(200)
  expect(json.data).toEqual({
    id: expect.stringMatching(/^acc_\w{25}$/),
    providerId: 'bluesky',
    providerName: 'Bluesky',
    username: person.handle,
    displayName: person.displayName,
    profileImageUrl: expect.stringContaining('/face/'),
    pictureUrl: null,
    isConnected: true,
    needsReconnect: false,
    accessEndsAt: null,
    externalId: null,
  })
  expect(await list()).toEqual([json.data])
  const account = await row(json.data.id)
  const { accessJwt, refreshJwt } = await refreshCredentials(ctx, workspace, account, false)
  for (const secret of [person.appPassword, accessJwt, refreshJwt, account.credentials])
    expect(text).not.toContain(secret)
  for (const secret of [person.appPassword, accessJwt, refreshJwt])
    expect(JSON.stringify(account)).not.toContain(secret)
})

test('reconnecting keeps the id and the history, and wins over a concurrent refresh', async () => {
  const { caller, workspace, row, list } = await newcomer()
  const { id } = (await send('connectBluesky', { ...caller, body: login })).json.data
  const before = await row(id)
  const lost = { needsReconnect: true, eventCount: 3, leaseUntilMs: site.now() + 30_000 }
  await update(ctx, socialAccounts.key(before), { set: lost })
  site.pass(1000)
  expect((await send('connectBluesky', { ...caller, body: login })).json.data.id).toBe(id)
  const after = await row(id)
  expect(after).toMatchObject({
    needsReconnect: false,
    eventCount: 4,
    createdAt: before.createdAt,
    credentialsVersion: 2,
  })
  expect(after.leaseUntilMs).toBeUndefined()
  expect(await refreshCredentials(ctx, workspace, after, false)).not.toEqual(
    await refreshCredentials(ctx, workspace, before, false),
  )
  expect(await list()).toHaveLength(1)
})

test('lists the accounts of the workspace, oldest first', async () => {
  const [one, other] = [await newcomer(), await newcomer()]
  const { account, secondAccount } = blueskySeed
  for (const { handle, appPassword } of [secondAccount, account]) {
    await send('connectBluesky', { ...one.caller, body: { identifier: handle, appPassword } })
    site.pass(1000)
  }
  expect((await one.list()).map(({ username }: { username: string }) => username)).toEqual([
    secondAccount.handle,
    account.handle,
  ])
  expect(await other.list()).toEqual([])
})

test.each([
  ['a wrong password', { ...login, appPassword: 'no' }, 'appPassword', 'Check both'],
  ['an unknown name', { ...login, identifier: 'nobody.bsky.test' }, 'appPassword', 'Check both'],
  ['a server inside the network', { ...login, service: 'https://10.0.0.1' }, 'service', '10.0.0.1'],
  ['a server without TLS', { ...login, service: 'http://elsewhere.example' }, 'service', 'https://'],
  ['an empty password', { ...login, appPassword: '' }, 'appPassword', 'at least 1'],
  ['a field too many', { ...login, token: 'x' }, 'token', 'not a known field'],
])('rejects %s and names the field', async (_, body, field, message) => {
  const { caller, list } = await newcomer()
  const { status, json } = await send('connectBluesky', { ...caller, body })
  expect([status, json.field]).toEqual([400, field])
  expect(json.error).toContain(message)
  expect(await list()).toEqual([])
})

test('returns Retry-After while Bluesky is unavailable', async () => {
  const { caller } = await newcomer()
  platforms.faults.add({
    platform: 'bluesky',
    operation: 'login',
    times: 1,
    fault: 'rate_limited',
    retryAfterSeconds: 30,
  })
  const limited = await send('connectBluesky', { ...caller, body: login })
  expect([limited.status, limited.headers['retry-after']]).toEqual([429, '30'])
  platforms.faults.add({ platform: 'bluesky', operation: 'login', times: 1, fault: 'html_503' })
  expect((await send('connectBluesky', { ...caller, body: login })).status).toBe(503)
})

test('connects a Discord server once per link', async () => {
  const { caller, list, goToDiscord } = await newcomer()
  const back = await goToDiscord()
  const page = await send('callback', {
    ...atDiscord,
    ...back,
    query: { ...back.query, guild_id: '1300000000000000999' },
  })
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'referrer-policy': 'no-referrer',
  })
  expect(page.text).toContain(`Discord: ${discordSeed.guild.name} is connected to Acme.`)
  const accounts = await list()
  expect(accounts).toMatchObject([{ providerId: 'discord', username: discordSeed.guild.name, isConnected: true }])
  expect((await send('callback', { ...atDiscord, ...back })).text).toContain('has expired or was already used')
  // The same server again is the same account.
  await send('callback', { ...atDiscord, ...(await goToDiscord()) })
  expect(await list()).toEqual(accounts)
  expect((await send('discordChannels', caller)).json.data.guildId).toBe(discordSeed.guild.id)
})

test('an expired or foreign link, a cancelled login, and a missing code connect nothing', async () => {
  const { list, goToDiscord } = await newcomer()
  const old = await goToDiscord()
  site.pass(10 * 60_000 + 1)
  expect((await send('callback', { ...atDiscord, ...old })).text).toContain('has expired or was already used')
  for (const query of [{}, { state: 'x'.repeat(43), code: 'c' }, { code: 'c' }]) {
    expect((await send('callback', { ...atDiscord, query })).text).toContain('has expired or was already used')
  }
  expect((await send('callback', { ...atDiscord, ...(await goToDiscord('deny')) })).text).toContain('canceled')
  const { headers, query } = await goToDiscord()
  const mutated = { ...query, code: '<b>' }
  expect((await send('callback', { ...atDiscord, headers, query: mutated })).text).toContain('rejected the login')
  expect(await list()).toEqual([])
})

test('a browser with the longest return that the document allows gets a page, and never an empty 431', async () => {
  // Each quote is three bytes of an address.
  const query = { state: '"'.repeat(300), code: '"'.repeat(2000), error: '"'.repeat(300) }
  expect(new URLSearchParams(query).toString().length).toBeLessThan(10_240 - 2_000)
  const { status, text } = await send('callback', { ...atDiscord, query })
  expect(status).toBe(200)
  expect(text).toContain('has expired or was already used')
  for (const [name, value] of Object.entries(query)) {
    expect((await send('callback', { ...atDiscord, query: { ...query, [name]: `${value}"` } })).status).toBe(400)
  }
})

test('a person who lost access in the meantime connects nothing', async () => {
  const { userId, workspace, list, goToDiscord } = await newcomer()
  const back = await goToDiscord()
  const member = members.key({ workspaceId: workspace.id, userId })
  await update(ctx, member, { set: { status: 'suspended' } })
  expect((await send('callback', { ...atDiscord, ...back })).text).toContain(
    'The access that this link was made with has ended',
  )
  await update(ctx, member, { set: { status: 'active' } })
  expect(await list()).toEqual([])
})

test('the page escapes the names of servers', async () => {
  const { goToDiscord } = await newcomer()
  const body = { guild: { id: '1300000000000000777', name: '<script>alert(1)</script>&', icon: 'abc' } }
  const back = await goToDiscord()
  platforms.faults.add({ platform: 'discord', operation: 'login', times: 1, fault: 'status', status: 200, body })
  const { text } = await send('callback', { ...atDiscord, ...back })
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp; is connected')
  expect(text).not.toContain('<script>')
})
