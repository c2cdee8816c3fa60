import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { countWindow } from '../count-window.ts'
import { pageOf } from '../page-of.ts'
import { type Call, Refused, type Route, type SimulatorContext } from '../standin.ts'
import { Blocks, checkBlocks } from './blocks.ts'
import type { Channels } from './channels.ts'
import type { Install } from './install.ts'
import { readArgs, readForm } from './read-args.ts'
import { refuse, slackRefusals } from './refuse.ts'
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
  /** Shown in the channel as well. */
  isBroadcast?: boolean | undefined
  isMarkdown?: boolean | undefined
  blocks?: Blocks | undefined
}

const Metadata = z.strictObject({
  event_type: z.string().check(z.regex(/^[\w.-]+$/)),
  event_payload: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})

/** Clients write a boolean of a form in either way; `readArgs` has parsed the text. */
const Flag = z.union([
  z.boolean(),
  z.pipe(
    z.enum(['1', '0']),
    z.transform((digit) => digit === '1'),
  ),
])

/** The content of a message: a text, blocks with a text, or only Markdown. */
const content = {
  text: z.optional(z.string()),
  markdown_text: z.optional(z.string()),
  blocks: z.optional(Blocks),
}

const PostArgs = z.strictObject({
  ...content,
  channel: z.string(),
  unfurl_links: z.optional(Flag),
  unfurl_media: z.optional(Flag),
  metadata: z.optional(Metadata),
  thread_ts: z.optional(z.string()),
  reply_broadcast: z.optional(Flag),
})

/**
 * An omitted field takes its default, `client` for `parse`; metadata and files that are not named stay, blocks next to a
 * text do not (chat.update).
 */
const UpdateArgs = z.strictObject({
  ...content,
  channel: z.string(),
  ts: z.string(),
  parse: z.optional(z.enum(['none', 'full', 'client'])),
  link_names: z.optional(Flag),
  metadata: z.optional(Metadata),
  reply_broadcast: z.optional(Flag),
})

const maxHistory = 15

/** Clients write a boolean of a form in either way. */
const yes = z.enum(['true', 'false', '1', '0'])

const HistoryArgs = z.strictObject({
  channel: z.string(),
  oldest: z._default(z.string().check(z.regex(/^\d+\.\d{6}$/)), '0.000000'),
  latest: z._default(z.string().check(z.regex(/^\d+\.\d{6}$/)), '9999999999.999999'),
  inclusive: z._default(yes, 'false'),
  include_all_metadata: z._default(yes, 'false'),
  limit: z._default(z.string(), String(maxHistory)),
  cursor: z.optional(z.string()),
})

const RepliesArgs = z.extend(HistoryArgs, { ts: z.string() })

const maxText = 40_000
const maxMarkdown = 12_000

/** An ampersand that starts no entity, or an angle bracket that starts no link or mention. */
const unescaped = /&(?!amp;|lt;|gt;)|<(?![@#!]|https?:|mailto:)/

/** Messages: posted, read newest first, linked to, changed, deleted. */
export function openMessages(
  { clock, limitsCalls, keep, listing }: SimulatorContext,
  { teamOf }: Install,
  { find, isIn }: Channels,
) {
  const messages = keep<StoredMessage>('messages')
  // One message a second for each channel, more in short bursts (Slack, Rate limits, 2026-11-29). Decided: bursts of five.
  const window = countWindow({ max: 5, perMs: 5000 }, { clock, limitsCalls })

  /** The next moment that no message of the channel has. */
  function nextTs(channel: string): string {
    const micros = clock.now() * 1000
    const last = messages.values().findLast((message) => message.channel === channel)
    const next = Math.max(micros, last === undefined ? 0 : Number(last.ts.replace('.', '')) + 1)
    return `${Math.floor(next / 1_000_000)}.${String(next % 1_000_000).padStart(6, '0')}`
  }

  function keepMessage(
    team: SlackTeam,
    said: Pick<StoredMessage, 'channel' | 'text' | 'metadata' | 'files'> & Partial<StoredMessage>,
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

  type Content = Pick<z.infer<typeof PostArgs>, keyof typeof content>

  function readContent({ text, markdown_text: markdown, blocks }: Content) {
    if (markdown !== undefined && (text ?? blocks) !== undefined) refuse('markdown_text_conflict')
    if (markdown !== undefined && markdown.length > maxMarkdown) refuse('msg_too_long')
    // Slack would mention whom it names.
    if (/<[@#!]/.test(markdown ?? '')) refuse('invalid_blocks_format')
    if (blocks !== undefined) checkBlocks(blocks)
    const said = markdown ?? text ?? ''
    if (said.trim() === '' && blocks === undefined) refuse('no_text')
    if (markdown === undefined) checkText(said)
    return { text: said, blocks, isMarkdown: markdown !== undefined }
  }

  /** A reply needs a message that began its thread. */
  function checkThread(channel: string, threadTs: string | undefined): void {
    if (threadTs !== undefined && messages.get(`${channel} ${threadTs}`) === undefined)
      refuse('cannot_reply_to_message')
  }

  function post(call: Call): Answer {
    const team = teamOf(call, 'chat:write')
    const { channel, metadata, thread_ts: threadTs, reply_broadcast: isBroadcast, ...given } = readArgs(call, PostArgs)
    const seconds = window.take(channel)
    if (seconds !== undefined) throw new Refused(slackRefusals.rateLimited(seconds))
    const known = find(team, channel)
    if (known.isArchived) refuse('is_archived')
    if (!isIn(known)) teamOf(call, 'chat:write.public')
    const said = readContent(given)
    checkThread(channel, threadTs)
    const message = keepMessage(team, { ...said, channel, metadata, files: [], threadTs, isBroadcast })
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
    const shown = [...first, ...items].map((message) =>
      show(message, ['true', '1'].includes(args.include_all_metadata)),
    )
    return {
      status: 200,
      body: { ok: true, messages: shown, has_more: next !== undefined, response_metadata: metadata },
    }
  }

  /** The newest message first, of replies only those that are shown in the channel. */
  function history(call: Call): Answer {
    const args = readForm(call, HistoryArgs)
    assertReadable(call, args)
    return showPage(
      args,
      within(args)
        .filter(({ threadTs, isBroadcast }) => threadTs === undefined || isBroadcast)
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
    const { channel, ts, metadata, reply_broadcast: broadcast, ...given } = readArgs(call, UpdateArgs)
    const message = messages.get(`${channel} ${ts}`) ?? refuse('message_not_found')
    if (message.user !== team.bot.userId) refuse('cant_update_message')
    const said = readContent(given)
    const changed = {
      ...(metadata === undefined ? {} : { metadata }),
      ...(broadcast === undefined || message.threadTs === undefined ? {} : { isBroadcast: broadcast }),
    }
    messages.set(`${channel} ${ts}`, { ...message, ...said, ...changed })
    return { status: 200, body: { ok: true, channel, ts, text: said.text } }
  }

  const routes: Route[] = [
    { method: 'POST', path: '/api/chat.update', operation: 'edit', answer: update },
    { method: 'POST', path: '/api/chat.postMessage', operation: 'create', answer: post },
    { method: 'POST', path: '/api/conversations.history', operation: 'read', answer: history },
    { method: 'POST', path: '/api/conversations.replies', operation: 'read', answer: replies },
    { method: 'POST', path: '/api/chat.getPermalink', operation: 'permalink', answer: permalink },
    { method: 'POST', path: '/api/chat.delete', operation: 'delete', answer: remove },
  ]
  return { routes, messages, keepMessage, checkText, checkThread, other }
}
export type Messages = ReturnType<typeof openMessages>

export function addressOf({ domain }: SlackTeam, channel: string, ts: string): string {
  return `https://${domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}`
}

function show(
  { ts, user, text, metadata, files, threadTs, isBroadcast, blocks }: StoredMessage,
  withMetadata: boolean,
) {
  return {
    type: 'message',
    ...(isBroadcast ? { subtype: 'thread_broadcast' } : {}),
    user,
    ts,
    text,
    ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    ...(withMetadata && metadata !== undefined ? { metadata } : {}),
    ...(blocks === undefined ? {} : { blocks }),
    ...(files.length > 0 ? { files: files.map((id) => ({ id })) } : {}),
  }
}
