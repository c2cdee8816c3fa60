import { expect, test } from 'vitest'
import { fetchChannels } from '../../shared/platforms/discord/channels.ts'
import { discord as connector } from '../../shared/platforms/discord/connect.ts'
import { definition } from '../../shared/platforms/discord/definition.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { anyPicture } from './any-file.ts'
import { channelId, guild, visitDiscord } from './discord-visit.ts'
import { failureOf } from './site.ts'

const { site, open, fault } = await visitDiscord()

const redirectUri = 'https://service.test/api/social-accounts/connect/discord/callback'
const authorization = { state: 'the-state', codeChallenge: 'unused', redirectUri }
const callback = { redirectUri, codeVerifier: 'unused' }

test('lists text and announcement channels in order', async () => {
  const channels = await fetchChannels(site.ctx(), guild.id)
  expect(channels.map(({ name, type }) => [name, type])).toEqual([
    ['general', 'text'],
    ['showcase', 'text'],
    ['announcements', 'announcement'],
    ['late-night', 'text'],
    ['rules', 'text'],
    ['staff', 'text'],
  ])
  expect(channels[3]).toEqual({
    id: channelId('late-night'),
    name: 'late-night',
    type: 'text',
    parentId: channelId('Community'),
    position: 5,
    nsfw: true,
  })
})

test('an installation code connects a server once', async () => {
  const ctx = site.ctx()
  const address = await connector.authorizationUrl(ctx, authorization)
  const body = new URLSearchParams({ answer: 'allow' })
  const sentBack = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  const back = new URL(sentBack.headers.get('location') ?? '')
  expect(`${back.origin}${back.pathname}`).toBe('https://service.test/api/social-accounts/connect/discord/callback')
  expect(back.searchParams.get('state')).toBe('the-state')
  expect(back.searchParams.get('permissions')).toBe('562949953539072')
  const code = back.searchParams.get('code') ?? ''
  const [connection] = await connector.connect(ctx, { ...callback, code })
  expect(connection).toEqual({
    platform: 'discord',
    providerName: 'Discord',
    externalId: guild.id,
    username: guild.name,
    displayName: guild.name,
    profileImageUrl: null,
    credentials: {},
    sharedGrant: guild.id,
    details: { premiumTier: 0, tier: 'free' },
  })
  expect(await failureOf(connector.connect(ctx, { ...callback, code }))).toMatchObject({ errorClass: 'invalid' })
})

test.each([
  [0, 10 * 1024 * 1024],
  [1, 10 * 1024 * 1024],
  // What bounds a file then is the specification's total for the message.
  [2, 25 * 1024 * 1024 - 64 * 1024],
  [3, 25 * 1024 * 1024 - 64 * 1024],
])('a server of boost tier %i accepts files of %i bytes', async (premiumTier, max) => {
  const server = { id: guild.id, name: guild.name, icon: null, premium_tier: premiumTier }
  fault({ operation: 'login', fault: 'status', status: 200, body: { access_token: 'x', guild: server } })
  const [connection] = await connector.connect(site.ctx(), { ...callback, code: 'any' })
  expect(connection?.details).toMatchObject({ premiumTier })
  const codesOf = (...sizes: number[]) => {
    const media = sizes.map((fileSize) => ({ ...anyPicture(), fileSize }))
    const metadata = open().post.metadata
    const tier = String(connection?.details['tier'])
    return checkPost(definition, { socialAccountId: 'a', tier, content: 'Hi', metadata, media }).map(({ code }) => code)
  }
  expect(codesOf(max)).toEqual([])
  expect(new Set(codesOf(max + 1))).toEqual(new Set(['media_size']))
  expect(codesOf(9_000_000, 9_000_000, 9_000_000)).toEqual(['media_size'])
})

test('missing app credentials are an operator error', async () => {
  const ctx = site.ctx({ PLATFORM_SECRETS_PREFIX: 'nothing/' })
  const failure = await failureOf(connector.authorizationUrl(ctx, authorization))
  expect(failure).toMatchObject({ errorClass: 'permission', info: { operator: true } })
})
