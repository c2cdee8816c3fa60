import { afterAll, beforeEach, expect, test } from 'vitest'
import { discordSeed } from '../../../infra/local/platforms/discord.ts'
import { connectAccount } from '../../../shared/social-accounts/connect.ts'
import { socialAccounts } from '../../../shared/social-accounts/social-account.ts'
import { tester } from '../../support/tester.ts'
import { startClient } from './client.ts'

const site = await startClient()
const { send, platforms, ctx } = site
const { guild, botToken } = discordSeed

beforeEach(() => platforms.reset())
afterAll(() => site.close())

const connection = {
  platform: 'discord',
  providerName: 'Discord',
  username: 'Server',
  displayName: 'Server',
  profileImageUrl: null,
  credentials: {},
  details: {},
} as const

async function newcomer(externalId = guild.id) {
  const { workspace, caller } = await site.newcomer()
  const account = await connectAccount(ctx, workspace, { ...connection, externalId }, { by: tester })
  const listChannels = (socialAccountId?: string) =>
    send('discordChannels', { ...caller, query: socialAccountId === undefined ? {} : { socialAccountId } })
  return { workspace, caller, account, listChannels }
}

const callCount = () => platforms.calls().filter(({ operation }) => operation === 'channels').length
const trouble = (fault: 'html_503' | 'rate_limited') =>
  platforms.faults.add({ platform: 'discord', operation: 'channels', times: 1, fault })

test('returns live channels, then cached ones for five minutes', async () => {
  const { listChannels, account } = await newcomer()
  const first = (await listChannels()).json.data
  expect(first).toMatchObject({ guildId: guild.id, source: 'live' })
  expect(first.channels[0]).toEqual({
    id: '1300000000000000101',
    name: 'general',
    type: 'text',
    parentId: '1300000000000000100',
    position: 1,
    nsfw: false,
  })
  site.pass(5 * 60_000 - 1)
  expect((await listChannels(account.id)).json.data).toEqual({ ...first, source: 'cache' })
  expect(callCount()).toBe(1)
  site.pass(1)
  expect((await listChannels()).json.data.source).toBe('live')
  expect(callCount()).toBe(2)
})

test('returns the last good list while Discord is unavailable', async () => {
  const { listChannels } = await newcomer()
  trouble('html_503')
  expect((await listChannels()).status).toBe(503)
  trouble('rate_limited')
  expect((await listChannels()).status).toBe(429)
  const { channels } = (await listChannels()).json.data
  for (const fault of ['html_503', 'rate_limited'] as const) {
    site.pass(5 * 60_000)
    trouble(fault)
    expect((await listChannels()).json.data).toEqual({ guildId: guild.id, source: 'cache', channels })
  }
})

test('a removed bot returns 404 and requires a reconnect', async () => {
  const { listChannels, account } = await newcomer()
  const headers = { authorization: `Bot ${botToken}`, 'user-agent': 'DiscordBot (https://service.test, 1.0)' }
  await fetch(`${platforms.urls['discord']}/api/v10/users/@me/guilds/${guild.id}`, { method: 'DELETE', headers })
  const { status, json } = await listChannels()
  expect([status, json.code]).toEqual([404, 'account_access_revoked'])
  expect(await socialAccounts.get(ctx, account)).toMatchObject({ needsReconnect: true, eventCount: 2 })
  await listChannels()
  expect(await socialAccounts.get(ctx, account)).toMatchObject({ eventCount: 2 })
})

test('returns 404 without an account, and for an unknown one, or one of another workspace or platform', async () => {
  const { caller } = await site.newcomer()
  expect((await send('discordChannels', caller)).status).toBe(404)
  const [mine, theirs] = [await newcomer(), await newcomer('1300000000000000555')]
  expect((await mine.listChannels('acc_unknown')).status).toBe(404)
  expect((await mine.listChannels(theirs.account.id)).status).toBe(404)
  expect(callCount()).toBe(0)
})

test('uses the oldest connected account without an id', async () => {
  const { workspace, listChannels } = await newcomer()
  site.pass(1000)
  await connectAccount(ctx, workspace, { ...connection, externalId: '1300000000000000555' }, { by: tester })
  expect((await listChannels()).json.data.guildId).toBe(guild.id)
})
