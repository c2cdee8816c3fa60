import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { readObject } from '../../aws/bucket.ts'
import type { Context } from '../../context.ts'
import { base62 } from '../../ids.ts'
import type { MediaFile } from '../../media/media-file.ts'
import { filenameOf } from '../../media/types.ts'
import { cutText } from '../../text/cut.ts'
import { dayMs } from '../../time.ts'
import type { ConnectedAccount } from '../account.ts'
import type {
  KeyedPost,
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import type { RequestBody } from '../http.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { multipart } from '../multipart.ts'
import { PlatformError } from '../platform-error.ts'
import { edited, removed } from '../removal.ts'
import { callDiscord } from './api.ts'
import { assertChannel } from './channels.ts'
import { DiscordMetadata, definition, maxTotalBytes } from './definition.ts'
import { sentEmbed } from './embeds.ts'
import { sentPoll } from './poll.ts'

/** The files of a message as parts of its form, in their order. */
const Attachments = z.array(
  z.object({
    name: z.string(),
    value: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    filename: z.string(),
    type: z.string(),
  }),
)
type Attachments = z.infer<typeof Attachments>

const maxDescription = 1024

/** Loads the files of a post. Their sizes were checked when it was accepted, but only the stored files count. */
const loadAttachments = async (ctx: Context, media: readonly MediaFile[]): Promise<Attachments> => {
  const parts = await Promise.all(
    media.map(async (file, n) => {
      const value = await readObject(ctx, file.storageKey)
      return { name: `files[${n}]`, value, filename: filenameOf(file), type: file.mimeType }
    }),
  )
  if (parts.reduce((sum, { value }) => sum + value.byteLength, 0) > maxTotalBytes) {
    throw new PlatformError('invalid', 'Discord attachments are too large. Attach fewer or smaller files.')
  }
  return parts
}

/** The body of a message: JSON, or a form if it has files. Its text mentions no one. */
export const buildMessage = (
  { content, replyTo, shown = {} }: { content: string; replyTo?: string | undefined; shown?: object },
  nonce: string,
  media: readonly MediaFile[],
  attachments: Attachments | undefined,
): RequestBody => {
  const reply = replyTo === undefined ? {} : { message_reference: { message_id: replyTo } }
  const message = { content, allowed_mentions: { parse: [] }, nonce, enforce_nonce: true, ...reply, ...shown }
  if (!attachments) return { json: message }
  const described = media.map(({ altText }, n) => {
    // Truncated rather than rejected: the alt text matters less than the post.
    const description = altText && cutText(altText, maxDescription)
    return { id: String(n), ...(description ? { description } : {}) }
  })
  const payload = JSON.stringify({ ...message, attachments: described })
  return multipart([{ name: 'payload_json', value: payload, type: 'application/json' }, ...attachments])
}

/** What a message consists of, except its files. A probe also looks for this, whatever the post has become since. */
const Message = z.object({ channelId: z.string(), content: z.string(), files: z.int() })

/** What the message shows in addition to its text and files. */
const shownOf = ({ embeds, poll }: z.infer<typeof DiscordMetadata>): object => ({
  ...(embeds === undefined ? {} : { embeds: embeds.map(sentEmbed) }),
  ...(poll === undefined ? {} : { poll: sentPoll(poll) }),
})

const preparedMs = dayMs
const nonceLength = 25

/** The nonce: the same for every attempt at the same version. */
const makeKey = ({ id, version }: KeyedPost): string => {
  const hash = createHash('sha256').update(`${id}:${version}`).digest('hex')
  return base62(BigInt(`0x${hash}`), nonceLength).slice(-nonceLength)
}

/** Verifies that the channel belongs to the account; uploads nothing, since files are sent with the message. */
const prepare = async ({ ctx, account, post }: PlatformCall): Promise<Prepared> => {
  const { channelId } = z.parse(DiscordMetadata, post.metadata)
  await assertChannel(ctx, account.externalId, channelId)
  const ready: z.infer<typeof Message> = { channelId, content: post.text, files: post.media.length }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

const build = async ({ ctx, post }: PlatformCall): Promise<Attachments | undefined> =>
  post.media.length > 0 ? loadAttachments(ctx, post.media) : undefined

const messageUrl = (account: ConnectedAccount, channelId: string, id: string): string =>
  `https://discord.com/channels/${account.externalId}/${channelId}/${id}`

/** Missing access may mean the channel or the whole server: only the server's loss ends the connection. */
const refineError = async ({ ctx, account }: PlatformCall, error: unknown) => {
  if (!(error instanceof PlatformError) || error.info.code !== '50001') return error
  const reply = z.object({ id: z.string() })
  await callDiscord(ctx, { path: '/guilds/{guild}', params: { guild: account.externalId }, reply })
  return new PlatformError(
    'invalid',
    'Discord bot cannot see this channel. Give it access, or choose another channel.',
    error.info,
  )
}

/** Sends the message; for some minutes, Discord returns the first message for a repeated nonce. */
const commit = async (call: PlatformCall, ref: PreparedRef, clientKey: string, built: unknown) => {
  const { ctx, account, post } = call
  const { channelId, content } = z.parse(Message, ref)
  const message = buildMessage(
    { content, replyTo: post.replyTo, shown: shownOf(z.parse(DiscordMetadata, post.metadata)) },
    clientKey,
    post.media,
    z.parse(z.optional(Attachments), built),
  )
  const request = { path: '/channels/{channel}/messages', params: { channel: channelId }, message }
  const { id } = await callDiscord(ctx, { ...request, reply: z.object({ id: z.string() }) }).catch(
    async (error: unknown) => {
      throw await refineError(call, error)
    },
  )
  return { id, url: messageUrl(account, channelId, id) }
}

const Sent = z.object({
  id: z.string(),
  content: z.string(),
  timestamp: z.string(),
  author: z.object({ id: z.string() }),
  attachments: z.array(z.unknown()),
  nonce: z.optional(z.union([z.string(), z.number()])),
})
type Sent = z.infer<typeof Sent>

const pageSize = '100'
/** How far Discord's clock and ours may be apart. */
const clockSkewMs = 5_000

/** The smallest message id of a moment (Discord, Snowflakes). */
const idAt = (ms: number) => String(BigInt(Math.max(0, ms - 1_420_070_400_000)) << 22n)

const readMessages = (ctx: Context, channelId: string, query: Readonly<Record<string, string>>) =>
  callDiscord(ctx, {
    path: '/channels/{channel}/messages',
    params: { channel: channelId },
    query,
    totalMs: pageMs,
    reply: z.array(Sent),
  })

/** The oldest of some messages: the next page ends before it. */
const oldestOf = (messages: readonly Sent[]) =>
  messages.map(({ id }) => id).reduce((oldest, id) => (BigInt(id) < BigInt(oldest) ? id : oldest))

/** Looks for the message among those sent since the attempt. */
const probe = async ({ ctx, account }: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { channelId, content, files } = z.parse(Message, attempt.ref)
  const me = await callDiscord(ctx, { path: '/users/@me', totalMs: pageMs, reply: z.object({ id: z.string() }) })
  const { fromMs, untilMs } = windowOf(attempt, clockSkewMs)
  let isEmpty = true
  const seen = await lookBack<Sent, string>({
    clock: ctx.clock,
    fromMs,
    async read(before = idAt(untilMs)) {
      const items = await readMessages(ctx, channelId, { before, limit: pageSize })
      if (items.length > 0) isEmpty = false
      // However short a page is, only an empty one is the end.
      return { items, next: items.length > 0 ? oldestOf(items) : undefined }
    },
    atMs: ({ timestamp }) => Date.parse(timestamp),
    isOurs: ({ author, nonce, ...sent }) =>
      author.id === me.id &&
      (attempt.isRestored || nonce === undefined || String(nonce) === attempt.clientKey) &&
      // Discord trims.
      sent.content.trim() === content.trim() &&
      sent.attachments.length === files,
  })
  if (seen.kind === 'found') {
    const [{ id }] = seen.items
    return { kind: 'published', id, url: messageUrl(account, channelId, id) }
  }
  if (!isEmpty || seen.kind === 'unclear') return seen
  // A bot that may not read the history is shown an empty one (Discord, Get Channel Messages).
  const any = await readMessages(ctx, channelId, { limit: '1' })
  return any.length > 0 ? seen : { kind: 'unclear' }
}

/** Deletes the message (Discord, Delete Message); 10008 means that the message does not exist. */
const remove = ({ ctx, post }: PlatformCall, message: string): Promise<void> => {
  const { channelId: channel } = z.parse(DiscordMetadata, post.metadata)
  const request = { path: '/channels/{channel}/messages/{message}', params: { channel, message }, reply: z.unknown() }
  return removed(callDiscord(ctx, { ...request, method: 'DELETE' }), ({ code }) => code === '10008')
}

/** Changes the text of the message; its files and embeds stay (Discord, Edit Message). The text mentions no one. */
const edit = ({ ctx, post }: PlatformCall, message: string): Promise<void> => {
  const { channelId: channel } = z.parse(DiscordMetadata, post.metadata)
  const request = { path: '/channels/{channel}/messages/{message}', params: { channel, message }, reply: z.unknown() }
  const json = { content: post.text, allowed_mentions: { parse: [] } }
  return edited(
    callDiscord(ctx, { ...request, method: 'PATCH', json }),
    definition.name,
    ({ code }) => code === '10008',
  )
}

/** Discord: a nonce makes a repeat harmless for some minutes, the channel's history settles it later. */
export const discord: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'key',
  repeatableSeconds: 120,
  readLagSeconds: 120,
  makeKey,
  prepare,
  build,
  commit,
  findsByContent: ({ text }) => text !== '',
  commentCalls: 'reply',
  remove,
  edit,
  probe,
}
