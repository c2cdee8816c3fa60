import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { pageOf } from '../page-of.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import type { Channels } from './channels.ts'
import type { Install } from './install.ts'
import { readArgs, readForm } from './read-args.ts'
import { refuse } from './refuse.ts'
import { type SlackTeam, slackSeed } from './seed.ts'

export interface StoredMessage {
  channel: string
  ts: string
  team: string
  user: string
  text: string
  metadata: unknown
  files: string[]
  saidAt: number
  /** The message that it replies to. */
  threadTs?: string | undefined
}

const Metadata = z.strictObject({
  event_type: z.string().check(z.regex(/^[\w.-]+$/)),
  event_payload: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})

const PostArgs = z.strictObject({
  channel: z.string(),
  text: z.optional(z.string()),
  unfurl_links: z.optional(z.boolean()),
  unfurl_media: z.optional(z.boolean()),
  metadata: z.optional(Metadata),
  thread_ts: z.optional(z.string()),
})

/** What is not said takes its default, `client` for `parse`; metadata and files that are not named stay (chat.update). */
const UpdateArgs = z.strictObject({
  channel: z.string(),
  ts: z.string(),
  text: z.string(),
  parse: z.literal('none'),
  link_names: z.literal(false),
})

const maxHistory = 15

const HistoryArgs = z.strictObject({
  channel: z.string(),
  oldest: z._default(z.string().check(z.regex(/^\d+\.\d{6}$/)), '0.000000'),
  latest: z._default(z.string().check(z.regex(/^\d+\.\d{6}$/)), '9999999999.999999'),
  inclusive: z._default(z.enum(['true', 'false']), 'false'),
  include_all_metadata: z._default(z.enum(['true', 'false']), 'false'),
  limit: z._default(z.string(), String(maxHistory)),
  cursor: z.optional(z.string()),
})

const RepliesArgs = z.extend(HistoryArgs, { ts: z.string() })

const maxText = 40_000

/** An ampersand that begins no entity, or an angle bracket that begins no link or mention. */
const unescaped = /&(?!amp;|lt;|gt;)|<(?![@#!]|https?:|mailto:)/

/** Messages: said, read newest first, linked to, changed, deleted. */
export function openMessages(
  { clock, keep, listing }: SimulatorContext,
  { teamOf }: Install,
  { find, isIn }: Channels,
) {
  const messages = keep<StoredMessage>('messages')

  /** The next moment that no message of the channel has. */
  function nextTs(channel: string): string {
    const micros = clock.now() * 1000
    const last = messages.values().findLast((message) => message.channel === channel)
    const next = Math.max(micros, last === undefined ? 0 : Number(last.ts.replace('.', '')) + 1)
    return `${Math.floor(next / 1_000_000)}.${String(next % 1_000_000).padStart(6, '0')}`
  }

  function keepMessage(
    team: SlackTeam,
    said: Pick<StoredMessage, 'channel' | 'text' | 'metadata' | 'files' | 'threadTs'>,
  ): StoredMessage {
    const ts = nextTs(said.channel)
    const message = { ...said, ts, team: team.id, user: team.bot.userId, saidAt: clock.now() }
    messages.set(`${said.channel} ${ts}`, message)
    return message
  }

  /** Someone else in the channel. */
  function other(channel: string, text: string): void {
    const ts = nextTs(channel)
    const team = slackSeed.channels.find(({ id }) => id === channel)?.team ?? slackSeed.teams[0].id
    const said = { channel, ts, team, user: 'U0SOMEBODY', text, metadata: undefined, files: [], saidAt: clock.now() }
    messages.set(`${channel} ${ts}`, said)
  }

  function checkText(text: string): void {
    if ([...text].length > maxText) refuse('msg_too_long')
    if (unescaped.test(text)) refuse('invalid_blocks_format')
  }

  function post(call: Call): Answer {
    const team = teamOf(call, 'chat:write')
    const { channel, text = '', metadata, thread_ts: threadTs } = readArgs(call, PostArgs)
    const known = find(team, channel)
    if (known.isArchived) refuse('is_archived')
    if (!isIn(known)) teamOf(call, 'chat:write.public')
    if (text.trim() === '') refuse('no_text')
    checkText(text)
    if (threadTs !== undefined && messages.get(`${channel} ${threadTs}`) === undefined)
      refuse('cannot_reply_to_message')
    const message = keepMessage(team, { channel, text, metadata, files: [], threadTs })
    return { status: 200, body: { ok: true, channel, ts: message.ts, message: show(message, true) } }
  }

  type Range = z.infer<typeof HistoryArgs>

  function assertReadable(call: Call, { channel, limit }: Range): void {
    const team = teamOf(call, 'channels:history', 'groups:history')
    if (!isIn(find(team, channel))) refuse('not_in_channel')
    if (Number(limit) > maxHistory) refuse('invalid_limit')
  }

  const within = ({ channel, oldest, latest }: Range) =>
    messages.values().filter((said) => said.channel === channel && said.ts >= oldest && said.ts <= latest)

  function showPage(args: Range, matching: readonly StoredMessage[], first: readonly StoredMessage[] = []): Answer {
    const { items, next } = pageOf(listing, matching, Number(args.cursor ?? 0), Number(args.limit))
    const metadata = { next_cursor: next === undefined ? '' : String(next) }
    const shown = [...first, ...items].map((message) => show(message, args.include_all_metadata === 'true'))
    return {
      status: 200,
      body: { ok: true, messages: shown, has_more: next !== undefined, response_metadata: metadata },
    }
  }

  /** The newest message first, without replies. */
  function history(call: Call): Answer {
    const args = readForm(call, HistoryArgs)
    assertReadable(call, args)
    return showPage(
      args,
      within(args)
        .filter(({ threadTs }) => threadTs === undefined)
        .reverse(),
    )
  }

  /** The message that began a thread, and the oldest reply first. */
  function replies(call: Call): Answer {
    const args = readForm(call, RepliesArgs)
    assertReadable(call, args)
    const first = messages.get(`${args.channel} ${args.ts}`)
    if (first === undefined) return refuse('thread_not_found')
    const answers = within(args).filter(({ threadTs }) => threadTs === args.ts)
    return showPage(args, answers, [first])
  }

  function permalink(call: Call): Answer {
    const team = teamOf(call)
    const { channel, message_ts: ts } = readForm(call, z.strictObject({ channel: z.string(), message_ts: z.string() }))
    if (messages.get(`${channel} ${ts}`) === undefined) refuse('message_not_found')
    return { status: 200, body: { ok: true, channel, permalink: addressOf(team, channel, ts) } }
  }

  function remove(call: Call): Answer {
    teamOf(call, 'chat:write')
    const { channel, ts } = readArgs(call, z.strictObject({ channel: z.string(), ts: z.string() }))
    if (!messages.delete(`${channel} ${ts}`)) refuse('message_not_found')
    return { status: 200, body: { ok: true, channel, ts } }
  }

  function update(call: Call): Answer {
    const team = teamOf(call, 'chat:write')
    const { channel, ts, text } = readArgs(call, UpdateArgs)
    const message = messages.get(`${channel} ${ts}`) ?? refuse('message_not_found')
    if (message.user !== team.bot.userId) refuse('cant_update_message')
    if (text.trim() === '') refuse('no_text')
    checkText(text)
    messages.set(`${channel} ${ts}`, { ...message, text })
    return { status: 200, body: { ok: true, channel, ts, text } }
  }

  const routes: Route[] = [
    { method: 'POST', path: '/api/chat.update', operation: 'edit', answer: update },
    { method: 'POST', path: '/api/chat.postMessage', operation: 'create', answer: post },
    { method: 'POST', path: '/api/conversations.history', operation: 'read', answer: history },
    { method: 'POST', path: '/api/conversations.replies', operation: 'read', answer: replies },
    { method: 'POST', path: '/api/chat.getPermalink', operation: 'permalink', answer: permalink },
    { method: 'POST', path: '/api/chat.delete', operation: 'delete', answer: remove },
  ]
  return { routes, messages, keepMessage, checkText, other }
}
export type Messages = ReturnType<typeof openMessages>

export function addressOf({ domain }: SlackTeam, channel: string, ts: string): string {
  return `https://${domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}`
}

function show({ ts, user, text, metadata, files, threadTs }: StoredMessage, withMetadata: boolean) {
  return {
    type: 'message',
    user,
    ts,
    text,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(withMetadata && metadata !== undefined ? { metadata } : {}),
    ...(files.length > 0 ? { files: files.map((id) => ({ id })) } : {}),
  }
}
