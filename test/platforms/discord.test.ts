import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import { definition } from '../../shared/platforms/discord/definition.ts'
import { buildMessage, discord } from '../../shared/platforms/discord/publish.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { probeOnce } from '../../shared/posts/publishing/probe.ts'
import { asBot, bot, channelId, guild, visitDiscord } from './discord-visit.ts'
import { failureOf, png } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const { site, platforms, api, open, prepared, publish, armed, operations, fault, say, leave } = await visitDiscord()

test('sends a text as one message', async () => {
  const { id, url } = await publish(open({ text: 'Hi @everyone <@1>' }))
  expect(url).toBe(`https://discord.com/channels/${guild.id}/${channelId('general')}/${id}`)
  expect(platforms.published()).toMatchObject([{ account: 'Demo Server #general', text: 'Hi @everyone <@1>', url }])
  expect(operations()).toEqual(['channels', 'create'])
  expect(site.effects.at(-1)).toEqual({
    service: 'discord',
    action: 'POST /channels/{channel}/messages',
    resource: platforms.urls['discord'],
  })
})

test('a message mentions no one and is sent once per nonce', () => {
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
  expect(operations()).toEqual(['channels'])
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
    'transient',
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
  expect(operations()).toEqual(['channels', 'create'])
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
  expect(operations().slice(-2)).toEqual(['create', 'guild'])
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
  expect(operations()).not.toContain('create')
})

test('looks up a channel once', async () => {
  const call = open()
  await publish(call)
  await publish({ ...call, post: site.post({ metadata: call.post.metadata }) })
  expect(operations()).toEqual(['channels', 'create', 'create'])
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
