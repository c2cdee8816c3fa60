import { hourMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import { mediaHeaders } from '../media-headers.ts'
import { pageOf } from '../page-of.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { StoredMap } from '../stored-map.ts'
import { refuseForm } from './form-errors.ts'
import { type MessageInput, readEdit, readMessage } from './message-input.ts'
import { refuse } from './refuse.ts'
import { channelTypes, type DiscordChannel, discordSeed, showUser } from './seed.ts'
import { snowflakes } from './snowflake.ts'

export interface StoredMessage {
  id: string
  /** Who wrote it; the bot if omitted. */
  authorId?: string
  channelId: string
  content: string
  nonce: string | undefined
  sentAt: number
  editedAt?: number
  /** The message that this one replies to. */
  replyTo?: string
  attachments: StoredAttachment[]
  embeds?: MessageInput['embeds']
  poll?: MessageInput['poll']
}

interface StoredAttachment {
  id: string
  filename: string
  description: string | undefined
  type: string
  size: number
}

/** What Discord calls "past few minutes". */
const nonceMemoryMs = 5 * 60 * 1000

/** Messages of a channel: sent once per nonce, read newest first, edited, deleted; and the files they carry. */
export function openMessages(
  { clock, url, blobs, keep, listing }: SimulatorContext,
  isBotIn: () => boolean,
): { routes: Route[]; messages: StoredMap<StoredMessage>; other(channelId: string, content: string): void } {
  const messages = keep<StoredMessage>('messages')
  const nextId = snowflakes(
    clock,
    messages.values().flatMap((message) => [message.id, ...message.attachments.map((file) => file.id)]),
  )

  function channelOf(call: Call): DiscordChannel {
    const channel = discordSeed.channels.find((candidate) => candidate.id === call.params['channel'])
    if (channel === undefined) return refuse(404, 10003, 'Unknown Channel')
    if (channel.bot === 'shut out' || !isBotIn()) return refuse(403, 50001, 'Missing Access')
    return channel
  }

  function create(call: Call): Answer {
    const channel = channelOf(call)
    const { message, files } = readMessage(call)
    if (channel.type === channelTypes.category) refuse(400, 50024, 'Cannot execute action on this channel type')
    if (channel.bot !== 'writes') refuse(403, 50013, 'Missing Permissions')
    const nonce = message.nonce ?? undefined
    const since = clock.now() - nonceMemoryMs
    const first = messages
      .values()
      .findLast((earlier) => nonce !== undefined && earlier.nonce === nonce && earlier.sentAt > since)
    if (message.enforce_nonce && first) return { status: 200, body: { ...show(first), nonce } }

    const replyTo = message.message_reference?.message_id
    if (replyTo !== undefined && messages.get(replyTo)?.channelId !== channel.id) {
      const error = { code: 'REPLIES_UNKNOWN_MESSAGE', message: 'Unknown message' }
      refuseForm([{ path: ['message_reference'], error }])
    }
    const attachments = files.map(({ bytes, ...file }) => {
      const attachment = { id: nextId(), ...file, size: bytes.length }
      blobs.put(attachment.id, bytes)
      return attachment
    })
    const content = message.content ?? ''
    const { embeds, poll } = message
    const made = { id: nextId(), channelId: channel.id, content, nonce, sentAt: clock.now(), attachments, embeds, poll }
    const sent = replyTo === undefined ? made : { ...made, replyTo }
    messages.set(sent.id, sent)
    return { status: 200, body: { ...show(sent), nonce } }
  }
  /** Someone else in the channel. */
  function other(channel: string, content: string): void {
    const sent = { channelId: channel, content, nonce: undefined, sentAt: clock.now(), attachments: [] }
    const id = nextId()
    messages.set(id, { id, authorId: discordSeed.guild.ownerId, ...sent })
  }
  function list(call: Call): Answer {
    const { id } = channelOf(call)
    const limit = Number(call.query.get('limit') ?? 50)
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) refuse(400, 50035, 'limit must be 1 to 100')
    const before = readId(call, 'before')
    const after = readId(call, 'after')
    const matching = messages
      .values()
      .filter((message) => message.channelId === id)
      .filter(
        (message) =>
          (before === undefined || BigInt(message.id) < before) && (after === undefined || BigInt(message.id) > after),
      )
      .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1))
    if (after === undefined) return { status: 200, body: pageOf(listing, matching, 0, limit).items.map(show) }
    // The oldest of them, but still shown newest first.
    const { items } = pageOf(listing, matching.toReversed(), 0, limit)
    return { status: 200, body: items.reverse().map(show) }
  }
  function messageOf(call: Call): StoredMessage {
    const { id } = channelOf(call)
    const message = messages.get(call.params['message'] ?? '')
    return message?.channelId === id ? message : refuse(404, 10008, 'Unknown Message')
  }
  function remove(call: Call): Answer {
    messages.delete(messageOf(call).id)
    return { status: 204 }
  }
  function edit(call: Call): Answer {
    const message = messageOf(call)
    if (message.authorId !== undefined) refuse(403, 50005, 'Cannot edit a message authored by another user')
    if (message.poll !== undefined) refuse(400, 520003, 'Cannot edit a poll message')
    const { content } = readEdit(call)
    if (content.trim() === '' && message.attachments.length === 0) {
      refuse(400, 50006, 'Cannot send an empty message')
    }
    const edited = { ...message, content, editedAt: clock.now() }
    messages.set(message.id, edited)
    return { status: 200, body: show(edited) }
  }
  function download(call: Call): Answer {
    const { channel, attachment } = call.params
    const own = messages.values().filter((message) => message.channelId === channel)
    const file = own.flatMap((message) => message.attachments).find((candidate) => candidate.id === attachment)
    const bytes = file && blobs.get(file.id)
    return file && bytes ? { status: 200, headers: mediaHeaders(file.type), body: bytes } : { status: 404 }
  }

  function show(message: StoredMessage): Record<string, unknown> {
    return {
      id: message.id,
      type: message.replyTo === undefined ? 0 : 19,
      ...(message.replyTo === undefined
        ? {}
        : { message_reference: { type: 0, channel_id: message.channelId, message_id: message.replyTo } }),
      channel_id: message.channelId,
      author: showUser(
        message.authorId === undefined ? discordSeed.bot : { id: message.authorId, username: 'somebody' },
      ),
      content: message.content,
      timestamp: timestampOf(message.sentAt),
      edited_timestamp: message.editedAt === undefined ? null : timestampOf(message.editedAt),
      tts: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: message.attachments.map((file) => showAttachment(message, file)),
      embeds: (message.embeds ?? []).map(showEmbed),
      ...(message.poll === undefined ? {} : { poll: showPoll(message.poll, message.sentAt) }),
      components: [],
      pinned: false,
      flags: 0,
    }
  }
  function showAttachment({ channelId }: StoredMessage, file: StoredAttachment): Record<string, unknown> {
    const { id, filename, description, type, size } = file
    const address = `${url}/attachments/${channelId}/${id}/${encodeURIComponent(filename)}`
    return { id, filename, description, content_type: type, size, url: address, proxy_url: address }
  }

  const path = '/api/v10/channels/:channel/messages'
  const routes: Route[] = [
    { method: 'POST', path, operation: 'create', answer: create },
    { method: 'GET', path, operation: 'read', answer: list },
    {
      method: 'GET',
      path: `${path}/:message`,
      operation: 'message',
      answer: (call) => ({ status: 200, body: show(messageOf(call)) }),
    },
    { method: 'DELETE', path: `${path}/:message`, operation: 'delete', answer: remove },
    { method: 'PATCH', path: `${path}/:message`, operation: 'edit', answer: edit },
    { method: 'GET', path: '/attachments/:channel/:attachment/:filename', operation: 'file', answer: download },
  ]
  return { routes, messages, other }
}

const showEmbed = ({ fields, ...embed }: NonNullable<MessageInput['embeds']>[number]) => ({
  type: 'rich',
  ...embed,
  fields: fields.map((field) => ({ inline: false, ...field })),
})

/** No one has voted yet. */
function showPoll({ question, answers, duration }: NonNullable<MessageInput['poll']>, sentAt: number) {
  return {
    question,
    answers: answers.map((answer, n) => ({ answer_id: n + 1, ...answer })),
    expiry: timestampOf(sentAt + duration * hourMs),
    allow_multiselect: false,
    layout_type: 1,
    results: { is_finalized: false, answer_counts: [] },
  }
}

function timestampOf(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00')
}

function readId(call: Call, name: string): bigint | undefined {
  const text = call.query.get(name)
  if (text === null) return undefined
  return /^\d{1,20}$/.test(text) ? BigInt(text) : refuse(400, 50035, `${name} is not a snowflake`)
}
