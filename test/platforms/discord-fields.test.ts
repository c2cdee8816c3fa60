import { expect, test } from 'vitest'
import { parseMultipart } from '../../infra/local/pages/multipart.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { clientKeyOf } from '../../shared/platforms/adapters.ts'
import type { Embed } from '../../shared/platforms/discord/embeds.ts'
import { sentPoll } from '../../shared/platforms/discord/poll.ts'
import { buildMessage, discord } from '../../shared/platforms/discord/publish.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { channelId, visitDiscord } from './discord-visit.ts'
import { failureOf } from './site.ts'

const { site, platforms, open, publish, armed, say } = await visitDiscord()

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

/** The JSON of the last message, with or without files. */
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
  const edited = (call: PlatformCall, message: string | null) =>
    discord.edit?.({ ...call, post: { ...call.post, text: 'Edited' } }, message ?? '')
  await edited(call, id)
  const sent = platforms.calls().findLast(({ operation }) => operation === 'edit')
  expect(JSON.parse(String(sent?.body))).toEqual({ content: 'Edited', allowed_mentions: { parse: [] } })
  expect(platforms.published()).toMatchObject([{ text: 'Edited', extras: ['embed: Sourdough'] }])
  const pollPost = withFields({ poll })
  const { id: postId } = await publish(pollPost)
  expect(await failureOf(edited(pollPost, postId) ?? Promise.resolve())).toMatchObject({
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
    const { embeds, poll: pollPost } = more as { embeds?: Embed[]; poll?: typeof poll & { durationHours?: number } }
    const shown = { ...(embeds ? { embeds } : {}), ...(pollPost ? { poll: sentPoll(pollPost) } : {}) }
    const message = buildMessage({ content: 'Hi', shown }, 'n', [], undefined)
    expect(await say('json' in message ? message.json : {})).toMatchObject({ code: 50035 })
  }
  await say({ embeds: [long, { description: 'x'.repeat(2000) }] })
  expect(platforms.published()).toHaveLength(1)
})
