import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import { discordSeed } from '../../infra/local/platforms/discord.ts'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import type { PlatformCall, UnconfirmedAttempt } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { fetchChannels } from '../../shared/platforms/discord/channels.ts'
import { discord as connector } from '../../shared/platforms/discord/connect.ts'
import { definition } from '../../shared/platforms/discord/definition.ts'
import type { Embed } from '../../shared/platforms/discord/embeds.ts'
import { sentPoll } from '../../shared/platforms/discord/poll.ts'
import { buildMessage, discord } from '../../shared/platforms/discord/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { probeOnce } from '../../shared/posts/publishing/probe.ts'
import { anyPicture } from './any-file.ts'
import { accountOf, failureOf, png, startSite } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const site = await startSite()
const { platforms } = site
const { guild, bot, botToken } = discordSeed
const api = `${platforms.urls['discord']}/api/v10`
const channelId = (name: string) => discordSeed.channels.find((one) => one.name === name)?.id ?? '1'.repeat(18)

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const calls = () => platforms.calls().map(({ operation }) => operation)

function open(post: Partial<OutgoingPost> = {}, channel = 'general'): PlatformCall {
  const account = accountOf({ externalId: guild.id, credentials: {}, details: {} })
  return { ctx: site.ctx(), account, post: site.post({ metadata: { channelId: channelId(channel) }, ...post }) }
}

async function prepared(call: PlatformCall) {
  const done = await discord.prepare?.(call, undefined)
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  return done.ready
}

async function publish(call: PlatformCall, key = clientKeyOf(discord, call.post)) {
  const ref = await prepared(call)
  return discord.commit(call, ref, key, await discord.build?.(call, ref))
}

async function armed(call: PlatformCall): Promise<UnconfirmedAttempt> {
  return { clientKey: clientKeyOf(discord, call.post), ref: await prepared(call), startedAtMs: site.now() }
}

function fault(more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) {
  platforms.faults.add({ platform: 'discord', operation: 'create', times: 1, ...more })
}

const redirectUri = 'https://service.test/api/social-accounts/connect/discord/callback'
const authorization = { state: 'the-state', codeChallenge: 'unused', redirectUri }
const callback = { redirectUri, codeVerifier: 'unused' }

const asBot = { authorization: `Bot ${botToken}`, 'user-agent': 'DiscordBot (https://service.test, 1.0)' }

async function say(json: object, channel = 'general') {
  const headers = { ...asBot, 'content-type': 'application/json' }
  await fetch(`${api}/channels/${channelId(channel)}/messages`, { method: 'POST', headers, body: JSON.stringify(json) })
}

const leave = () => fetch(`${api}/users/@me/guilds/${guild.id}`, { method: 'DELETE', headers: asBot })

test('sends a text as one message', async () => {
  const { id, url } = await publish(open({ text: 'Hi @everyone <@1>' }))
  expect(url).toBe(`https://discord.com/channels/${guild.id}/${channelId('general')}/${id}`)
  expect(platforms.published()).toMatchObject([{ account: 'Demo Server #general', text: 'Hi @everyone <@1>', url }])
  expect(calls()).toEqual(['channels', 'create'])
  expect(site.effects.at(-1)).toEqual({
    service: 'discord',
    action: 'POST /channels/{channel}/messages',
    resource: platforms.urls['discord'],
  })
})

test('a message mentions nobody and is sent once per nonce', () => {
  const message = { content: '@everyone', allowed_mentions: { parse: [] }, nonce: 'n', enforce_nonce: true }
  expect(buildMessage({ content: '@everyone' }, 'n', [], undefined)).toEqual({ json: message })
})

test('sends files with the message in order, with names and descriptions', async () => {
  const media = [
    await site.file({ originalFilename: 'a "dot"\r\n.png', altText: `${'é'.repeat(1023)}😀` }),
    await site.file({ originalFilename: 'ünter.png' }, Buffer.concat([png, Buffer.from('\r\n--files-')])),
  ]
  await publish(open({ text: '', media }))
  const answer = await fetch(`${api}/channels/${channelId('general')}/messages`, { headers: asBot })
  const [message] = z.parse(z.array(z.object({ attachments: z.array(z.looseObject({})) })), await answer.json())
  expect(message?.attachments).toMatchObject([
    { filename: 'a "dot"\r\n.png', description: 'é'.repeat(1023), content_type: 'image/png', size: png.length },
    { filename: 'ünter.png', content_type: 'image/png', size: png.length + 10 },
  ])
  const [first = ''] = platforms.published()[0]?.media ?? []
  expect(Buffer.from(await (await fetch(first)).arrayBuffer())).toEqual(png)
})

test('does not send files above the limit', async () => {
  const media = [await site.file({}, Buffer.alloc(25 * 1024 * 1024))]
  expect(await failureOf(publish(open({ media })))).toMatchObject({ errorClass: 'invalid' })
  expect(calls()).toEqual(['channels'])
})

test('the nonce is the same for one version, another for the next', () => {
  const post = site.post()
  const edited = { ...post, text: 'other' }
  expect(clientKeyOf(discord, post)).toMatch(/^[0-9A-Za-z]{25}$/)
  expect(clientKeyOf(discord, edited)).toBe(clientKeyOf(discord, post))
  expect(clientKeyOf(discord, { ...post, version: 2 })).not.toBe(clientKeyOf(discord, post))
  expect(clientKeyOf(discord, { ...post, id: 'other' })).not.toBe(clientKeyOf(discord, post))
})

test('a lost response is unknown; a repeat with the same key leaves one message', async () => {
  const call = open({ media: [await site.file()] })
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'unknown' })
  expect(platforms.published()).toHaveLength(1)
  const { url } = await publish(call)
  expect(platforms.published()).toMatchObject([{ url }])
})

test.each([
  ['429', { fault: 'rate_limited', retryAfterSeconds: 64.57 }, 'rate', { retryAfterSeconds: 64.57, httpStatus: 429 }],
  [
    '429 of Cloudflare',
    { fault: 'status', status: 429, body: '<html>' },
    'rate',
    { retryAfterSeconds: 600, operator: true },
  ],
  [
    'slow mode',
    { fault: 'status', status: 400, body: { code: 20016, message: 'slow', retry_after: 9 } },
    'rate',
    { retryAfterSeconds: 9 },
  ],
  ['401', { fault: 'token_revoked' }, 'auth', { operator: true }],
  [
    'an odd User-Agent',
    { fault: 'status', status: 403, body: { code: 40333, message: 'x' } },
    'auth',
    { operator: true },
  ],
  ['a pause', { fault: 'status', status: 403, body: { code: 40006, message: 'x' } }, 'transient', { code: '40006' }],
  ['403 as a page', { fault: 'status', status: 403, body: '<html>' }, 'transient', { httpStatus: 403 }],
  [
    'an automatic moderator',
    { fault: 'status', status: 400, body: { code: 200000, message: 'Blocked by AutoMod.' } },
    'blocked',
    { detail: 'Blocked by AutoMod.' },
  ],
  ...transportFaults,
  ...lostResponses,
] as const)('the create meets %s', async (_, script, errorClass, info) => {
  const call = open()
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, info })
  expect(calls()).toEqual(['channels', 'create'])
})

test('rejects with Discord’s message and field', async () => {
  const error = await failureOf(publish(open({ text: 'x'.repeat(2001) })))
  expect(error).toMatchObject({ errorClass: 'invalid', info: { code: '50035' } })
  expect(error.message).toContain('content: Must be 2000 or fewer in length.')
})

test('accepts a message of 2,000 emoji, as Discord counts them', async () => {
  const text = '😀'.repeat(2000)
  expect(
    checkPost(definition, { socialAccountId: 'a', content: text, metadata: open().post.metadata, media: [] }),
  ).toEqual([])
  await publish(open({ text }))
  expect(platforms.published().map((post) => post.text)).toEqual([text])
  expect(await failureOf(publish(open({ text: `${text}!` })))).toMatchObject({ errorClass: 'invalid' })
})

test('reports a channel that the bot cannot write in or see, and keeps the server connected', async () => {
  expect(await failureOf(publish(open({}, 'rules')))).toMatchObject({ errorClass: 'invalid', info: { code: '50013' } })
  expect(await failureOf(publish(open({}, 'staff')))).toMatchObject({ errorClass: 'invalid', info: { code: '50001' } })
  expect(calls().slice(-2)).toEqual(['create', 'guild'])
})

test('the shared bot posts in the connected server only', async () => {
  const foreign = open()
  const account = { ...foreign.account, externalId: '1300000000000000999' }
  expect(await failureOf(publish({ ...foreign, account }))).toMatchObject({
    errorClass: 'auth',
    info: { code: '10004' },
  })
  for (const channel of ['nowhere', 'Lounge', 'Community']) {
    expect(await failureOf(publish(open({}, channel)))).toMatchObject({ errorClass: 'invalid' })
  }
  expect(calls()).not.toContain('create')
})

test('looks up a channel once', async () => {
  const call = open()
  await publish(call)
  await publish({ ...call, post: site.post({ metadata: call.post.metadata }) })
  expect(calls()).toEqual(['channels', 'create', 'create'])
})

test('a removed bot ends the connection, also when it is noticed late', async () => {
  const call = open()
  const ref = await prepared(call)
  await leave()
  expect(await failureOf(discord.commit(call, ref, 'n', undefined))).toMatchObject({ errorClass: 'auth' })
  expect(await failureOf(prepared({ ...call, ctx: site.ctx() }))).toMatchObject({ errorClass: 'auth' })
})

test('a probe finds the message by author, text, files, and time', async () => {
  const call = open({ text: ' Hello ', media: [await site.file()] })
  await say({ content: 'Hello' })
  site.pass(60_000)
  const attempt = await armed(call)
  await say({ content: 'something else' })
  expect(await discord.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await publish(call)
  expect(await discord.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  // What the post has become since does not matter.
  const changed = { ...call, post: { ...call.post, text: 'new', metadata: { channelId: channelId('showcase') } } }
  expect(await discord.probe(changed, attempt)).toEqual({ kind: 'published', ...landed })
  expect(await discord.probe(call, { ...attempt, startedAtMs: site.now() + 10_000 })).toEqual({ kind: 'absent' })
})

test('a probe is unclear where the history is empty, unreadable, or too long', async () => {
  const call = open()
  const attempt = await armed(call)
  expect(await probeOnce('discord', call, attempt)).toEqual({ kind: 'unclear' })
  fault({ fault: 'status', status: 502, operation: 'read' })
  expect(await probeOnce('discord', call, attempt)).toEqual({ kind: 'unclear' })
  platforms.crowd('discord', channelId('general'), 1001)
  expect(await probeOnce('discord', call, attempt)).toEqual({ kind: 'unclear' })
})

test('ignores a message of another author, nonce, or number of files', async () => {
  const call = open()
  const attempt = await armed(call)
  const answer = (more: object) => {
    const timestamp = new Date(site.now()).toISOString()
    const sent = { id: '5', content: 'Hello', timestamp, author: bot, attachments: [], ...more }
    fault({ fault: 'status', status: 200, operation: 'read', body: [sent] })
    return discord.probe(call, attempt)
  }
  expect(await answer({})).toMatchObject({ kind: 'published', id: '5' })
  expect(await answer({ nonce: attempt.clientKey })).toMatchObject({ kind: 'published', id: '5' })
  for (const other of [{ nonce: 'other' }, { author: { id: '7' } }, { attachments: [{}] }, { content: 'Hello!' }]) {
    expect(await answer(other)).toEqual({ kind: 'absent' })
  }
})

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
])('a server of boost tier %i accepts files of %i bytes', async (premiumTier, most) => {
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
  expect(codesOf(most)).toEqual([])
  expect(new Set(codesOf(most + 1))).toEqual(new Set(['media_size']))
  expect(codesOf(9_000_000, 9_000_000, 9_000_000)).toEqual(['media_size'])
})

test('missing app credentials are an operator error', async () => {
  const ctx = site.ctx({ PLATFORM_SECRETS_PREFIX: 'nothing/' })
  const failure = await failureOf(connector.authorizationUrl(ctx, authorization))
  expect(failure).toMatchObject({ errorClass: 'permission', info: { operator: true } })
})

const embed = {
  title: 'Sourdough',
  description: 'From flour to loaf',
  url: 'https://bakery.test/bread',
  color: 0xd2966e,
  author: { name: 'The Bakery', url: 'https://bakery.test', iconUrl: 'https://bakery.test/icon.png' },
  fields: [
    { name: 'Flour', value: 'Rye', inline: true },
    { name: 'Oven', value: 'Hot' },
  ],
  image: { url: 'https://bakery.test/loaf.png' },
  thumbnail: { url: 'https://bakery.test/logo.png' },
  footer: { text: 'Baked today', iconUrl: 'https://bakery.test/icon.png' },
}
const poll = { question: 'Rye or spelt?', answers: ['Rye', 'Spelt'] }
const withFields = (more: object, post: Partial<OutgoingPost> = {}) =>
  open({ ...post, metadata: { channelId: channelId('general'), ...more } })

/** The JSON of the last message, also beside files. */
const sentMessage = () => {
  const { body, headers } = platforms.calls().findLast(({ operation }) => operation === 'create') ?? {}
  const parts = headers?.['content-type']?.startsWith('multipart/')
    ? parseMultipart(headers['content-type'], body ?? Buffer.of())
    : []
  return JSON.parse(String(parts.find(({ name }) => name === 'payload_json')?.bytes ?? body))
}

test('sends embeds with the text and files, each field by its name', async () => {
  const call = withFields({ embeds: [{ ...embed, own: 1 }, { title: 'Short' }] }, { text: 'Hi' })
  await publish(call)
  const { iconUrl: authorIcon, ...author } = embed.author
  const { iconUrl: footerIcon, ...footer } = embed.footer
  const wire = { ...embed, author: { ...author, icon_url: authorIcon }, footer: { ...footer, icon_url: footerIcon } }
  expect(sentMessage()).toEqual({
    content: 'Hi',
    allowed_mentions: { parse: [] },
    nonce: clientKeyOf(discord, call.post),
    enforce_nonce: true,
    embeds: [wire, { title: 'Short' }],
  })
  await publish(withFields({ embeds: [embed] }, { text: 'Hi', media: [await site.file()] }))
  expect(sentMessage()).toMatchObject({ embeds: [wire], attachments: [{ id: '0' }] })
  expect(platforms.published().map(({ extras }) => extras)).toEqual([
    ['embed: Sourdough', 'embed: Short'],
    ['embed: Sourdough'],
  ])
})

test('sends a poll with the text', async () => {
  const call = withFields({ poll: { ...poll, durationHours: 72, isMultiselect: true } }, { text: 'Hi' })
  const attempt = await armed(call)
  const landed = await publish(call)
  const answers = [{ poll_media: { text: 'Rye' } }, { poll_media: { text: 'Spelt' } }]
  const wire = { question: { text: 'Rye or spelt?' }, answers }
  expect(sentMessage()).toEqual({
    content: 'Hi',
    allowed_mentions: { parse: [] },
    nonce: attempt.clientKey,
    enforce_nonce: true,
    poll: { ...wire, duration: 72, allow_multiselect: true },
  })
  expect(platforms.published()).toMatchObject([{ text: 'Hi', extras: ['poll: Rye or spelt? Rye | Spelt (72 h)'] }])
  expect(await discord.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  await publish(withFields({ poll }))
  expect(sentMessage().poll).toEqual(wire)
})

test('an edit names the text only, and embeds stay; a poll cannot be edited', async () => {
  const call = withFields({ embeds: [embed] })
  const { id } = await publish(call)
  const edited = (one: PlatformCall, message: string | null) =>
    discord.edit?.({ ...one, post: { ...one.post, text: 'Edited' } }, message ?? '')
  await edited(call, id)
  const sent = platforms.calls().findLast(({ operation }) => operation === 'edit')
  expect(JSON.parse(String(sent?.body))).toEqual({ content: 'Edited', allowed_mentions: { parse: [] } })
  expect(platforms.published()).toMatchObject([{ text: 'Edited', extras: ['embed: Sourdough'] }])
  const asked = withFields({ poll })
  const { id: askedId } = await publish(asked)
  expect(await failureOf(edited(asked, askedId) ?? Promise.resolve())).toMatchObject({
    errorClass: 'invalid',
    info: { code: '520003' },
  })
})

test('the stand-in rejects embeds and polls that Discord rejects', async () => {
  const long = { description: 'x'.repeat(4000) }
  for (const more of [
    { embeds: Array(11).fill({ title: 'a' }) },
    { embeds: [{ title: 'x'.repeat(257) }] },
    { embeds: [long, { description: 'x'.repeat(2001) }] },
    { poll: { question: 'a', answers: ['x'.repeat(56), 'b'] } },
    { poll: { question: 'a', answers: ['a', 'b'], durationHours: 769 } },
  ]) {
    const { embeds, poll: asked } = more as { embeds?: Embed[]; poll?: typeof poll & { durationHours?: number } }
    const shown = { ...(embeds ? { embeds } : {}), ...(asked ? { poll: sentPoll(asked) } : {}) }
    const message = buildMessage({ content: 'Hi', shown }, 'n', [], undefined)
    const body = JSON.stringify('json' in message ? message.json : {})
    const headers = { ...asBot, 'content-type': 'application/json' }
    const answer = await fetch(`${api}/channels/${channelId('general')}/messages`, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ code: 50035 })
  }
  await say({ embeds: [long, { description: 'x'.repeat(2000) }] })
  expect(platforms.published()).toHaveLength(1)
})
