import * as z from 'zod/mini'
import { hourMs } from '../../time.ts'
import type {
  PlatformAdapter,
  PlatformCall,
  Prepared,
  PreparedRef,
  ProbeResult,
  UnconfirmedAttempt,
} from '../adapter.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { classified, commonErrors, PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { edited, removed } from '../removal.ts'
import { callSlack } from './api.ts'
import { joinChannel } from './channels.ts'
import { definition, SlackMetadata } from './definition.ts'
import { escapeMarkdown } from './markdown.ts'
import { Uploaded, uploadFile } from './upload.ts'

/** The URL of a message: from Slack, otherwise as Slack builds it. The message is published, so nothing may fail here. */
const addressOfMessage = async ({ ctx, account }: PlatformCall, channel: string, ts: string): Promise<string> => {
  const form = { channel, message_ts: ts }
  const reply = z.object({ permalink: z.string() })
  try {
    const { permalink } = await callSlack(ctx, account, { method: 'chat.getPermalink', form, totalMs: 3_000, reply })
    return permalink
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return `${String(account.details['url'])}archives/${channel}/p${ts.replace('.', '')}`
  }
}

const Share = z.array(z.object({ ts: z.string() }))
const Shares = z.optional(z.record(z.string(), Share))
const Shown = z.object({
  file: z.object({
    permalink: z.optional(z.string()),
    shares: z.optional(z.object({ public: Shares, private: Shares })),
  }),
})

/** A file as Slack knows it: when it appeared in a channel, if it has, and its address. */
const lookAtFile = async (
  { ctx, account }: PlatformCall,
  file: string,
  channel: string,
): Promise<{ sharedTs: string | undefined; permalink: string | null }> => {
  const request = { method: 'files.info', form: { file }, totalMs: 3_000, reply: Shown }
  const { shares, permalink = null } = (await callSlack(ctx, account, request)).file
  const inChannel = [...(shares?.public?.[channel] ?? []), ...(shares?.private?.[channel] ?? [])]
  return { sharedTs: inChannel[0]?.ts, permalink }
}

/** Escapes Slack's control characters, so that a text mentions no one (Slack, Formatting text, Escaping). */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The text as typed, from the text that Slack shows: Slack puts links that it detects in angle brackets. */
export const plainText = (shown: string): string =>
  shown
    .replace(/<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>/g, (_, address: string, label?: string) => label ?? address)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

/** The content of a message. A probe also looks for this, whatever the post has become since. */
const Message = z.object({
  channelId: z.string(),
  text: z.string(),
  files: z.array(Uploaded),
  /** The message that it replies to. */
  threadTs: z.optional(z.string()),
  /** The text is Markdown, which Slack shows in another form. */
  isMarkdown: z.optional(z.boolean()),
})
type Message = z.infer<typeof Message>

const preparedMs = hourMs
/** The amount of one upload phase: at least one file, and it must end well within a minute. */
const phaseBytes = 60_000_000

/**
 * The message whose thread the post is in, or which a comment replies to. A post of files that Slack did not show in its
 * channel immediately is identified by its first file. Throws `transient` until Slack shows it.
 */
const threadOf = async (
  call: PlatformCall,
  { channelId, threadTs: given }: z.infer<typeof SlackMetadata>,
): Promise<{ threadTs?: string }> => {
  if (given !== undefined) return { threadTs: given }
  const { replyTo } = call.post
  if (replyTo === undefined) return {}
  const isFile = replyTo.startsWith('F')
  const threadTs = isFile ? (await lookAtFile(call, replyTo, channelId)).sharedTs : replyTo
  if (threadTs === undefined) throw classified(definition.name, commonErrors.parentNotShown)
  return { threadTs }
}

/** Uploads the files, some at a time; they are not visible before the message names them. */
const prepare = async (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> => {
  const { ctx, account, post } = call
  const metadata = z.parse(SlackMetadata, post.metadata)
  const { channelId } = metadata
  const uploaded = resume ? [...z.parse(Message, resume).files] : []
  if (post.media.length > 0 && !resume) await joinChannel(ctx, account, channelId)
  let left = phaseBytes
  for (const file of post.media.slice(uploaded.length)) {
    if (file.fileSize > left) break
    left -= file.fileSize
    uploaded.push(await uploadFile(call, file))
  }
  const message: Message = {
    channelId,
    text: post.text,
    files: uploaded,
    ...(await threadOf(call, metadata)),
    ...(metadata.format === undefined ? {} : { isMarkdown: true }),
  }
  return uploaded.length < post.media.length
    ? { waitSeconds: 1, resume: message }
    : { ready: message, expiresAtMs: ctx.clock.now() + preparedMs }
}

/** The text in Slack's format, and the blocks that it stands for. */
const contentOf = (text: string, isMarkdown: boolean, blocks: z.infer<typeof SlackMetadata>['blocks']) =>
  isMarkdown
    ? { markdown_text: escapeMarkdown(text) }
    : { text: escapeText(text), ...(blocks === undefined ? {} : { blocks }) }

const say = async (
  call: PlatformCall,
  { channelId: channel, text, threadTs, isMarkdown = false }: Message,
  clientKey: string,
): Promise<PublishedPost> => {
  const { blocks, isBroadcast = false } = z.parse(SlackMetadata, call.post.metadata)
  const [post_id = '', v = ''] = clientKey.split(':')
  const { ts } = await callSlack(call.ctx, call.account, {
    method: 'chat.postMessage',
    json: {
      channel,
      ...contentOf(text, isMarkdown, blocks),
      unfurl_links: true,
      unfurl_media: true,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
      ...(isBroadcast ? { reply_broadcast: true } : {}),
      metadata: { event_type: 'svc_post', event_payload: { post_id, v } },
    },
    creates: true,
    reply: z.object({ ts: z.string() }),
  })
  return { id: ts, url: await addressOfMessage(call, channel, ts) }
}

const shareWaitMs = 2_000

/** Slack shows the share a little after its response: it is queried twice, then the file's address is used. */
const doubleCheck = async (call: PlatformCall, channel: string, file: string) => {
  const first = await lookAtFile(call, file, channel)
  if (first.sharedTs !== undefined) return first
  await call.ctx.clock.sleep(shareWaitMs)
  return lookAtFile(call, file, channel)
}

/** The address of the files. They are published: nothing may fail anymore. */
const whereabouts = async (call: PlatformCall, channel: string, file: string): Promise<PublishedPost> => {
  try {
    const { sharedTs, permalink } = await doubleCheck(call, channel, file)
    return sharedTs === undefined
      ? { id: file, url: permalink }
      : { id: sharedTs, url: await addressOfMessage(call, channel, sharedTs) }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { id: file, url: null }
  }
}

const share = async (
  call: PlatformCall,
  { channelId: channel, text, files, threadTs }: Message,
): Promise<PublishedPost> => {
  await callSlack(call.ctx, call.account, {
    method: 'files.completeUploadExternal',
    json: {
      files,
      channel_id: channel,
      ...(text.trim() === '' ? {} : { initial_comment: escapeText(text) }),
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    },
    creates: true,
    reply: z.object({ files: z.array(z.object({ id: z.string() })) }),
  })
  return whereabouts(call, channel, files[0]?.id ?? '')
}

/** Says the text, or shares the files with it. */
const commit = async (call: PlatformCall, ref: PreparedRef, clientKey: string): Promise<PublishedPost> => {
  const message = z.parse(Message, ref)
  return message.files.length > 0 ? share(call, message) : say(call, message, clientKey)
}

const Said = z.object({
  ts: z.string(),
  user: z.optional(z.string()),
  text: z.optional(z.string()),
  metadata: z.optional(
    z.object({ event_type: z.optional(z.string()), event_payload: z.optional(z.record(z.string(), z.unknown())) }),
  ),
})
type Said = z.infer<typeof Said>
const Page = z.object({
  messages: z.array(Said),
  response_metadata: z.optional(z.object({ next_cursor: z.optional(z.string()) })),
})

/** Apps outside of Slack's marketplace get no more per request (Slack, Rate limits, conversations.history). */
const pageSize = '15'
/** Only the minutes in which the message can have been published are read: this many pages contain 300 messages. */
const maxPages = 20
/** How far Slack's clock and ours may be apart. */
const clockSkewMs = 5_000

/** The properties by which a message is found. */
const keyOf = ({ metadata }: Said) =>
  metadata?.event_payload && `${metadata.event_payload['post_id']}:${metadata.event_payload['v']}`

/** A moment as Slack writes it. */
const toTs = (ms: number) => `${Math.floor(ms / 1000)}.000000`

/** A channel, whose history has no replies, or a thread in it. */
type Conversation = Pick<Message, 'channelId' | 'threadTs'>

const history = (
  call: PlatformCall,
  { channelId: channel, threadTs }: Conversation,
  attempt: UnconfirmedAttempt,
  isOurs: (said: Said) => boolean,
) => {
  const window = windowOf(attempt, clockSkewMs)
  // To the second, the precision of the query.
  const fromMs = Math.floor(window.fromMs / 1000) * 1000
  const form = {
    channel,
    ...(threadTs === undefined ? {} : { ts: threadTs }),
    oldest: toTs(fromMs),
    latest: toTs(window.untilMs),
    inclusive: 'true',
    include_all_metadata: 'true',
    limit: pageSize,
  }
  return lookBack<Said, string>({
    clock: call.ctx.clock,
    fromMs,
    maxPages,
    async read(cursor) {
      const { messages, response_metadata: more } = await callSlack(call.ctx, call.account, {
        method: threadTs === undefined ? 'conversations.history' : 'conversations.replies',
        form: cursor === undefined ? form : { ...form, cursor },
        totalMs: pageMs,
        reply: Page,
      })
      // A thread starts with its first message, and continues from the oldest reply: only its end is proof.
      const replies = messages.filter(({ ts }) => ts !== threadTs && !(Number(ts) * 1000 < fromMs))
      return { items: threadTs === undefined ? messages : replies, next: more?.next_cursor || undefined }
    },
    atMs: ({ ts }) => Number(ts) * 1000,
    isOurs,
  })
}

/**
 * Identifies the message by its metadata; without metadata by author, text, and time, if they fit only one message. How
 * Slack converts Markdown is not known, so any message of the app without metadata may match.
 */
const searchText = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { channelId, threadTs, text, isMarkdown = false } = z.parse(Message, attempt.ref)
  // Only a member can read a channel; posting a text needs no membership.
  await joinChannel(call.ctx, call.account, channelId)
  const me = call.account.details['botUserId']
  const isLike = (said: Said) =>
    keyOf(said) === undefined && said.user === me && (isMarkdown || plainText(said.text ?? '').trim() === text.trim())
  // The version may differ from that of the call.
  const isNamed = (said: Said) =>
    attempt.isRestored ? said.metadata?.event_payload?.['post_id'] === call.post.id : keyOf(said) === attempt.clientKey
  const isOurs = (said: Said) => isNamed(said) || isLike(said)
  const seen = await history(call, { channelId, threadTs }, attempt, isOurs)
  if (seen.kind !== 'found') return seen
  const carrier = seen.items.find(isNamed)
  if (!carrier && (isMarkdown || seen.items.length > 1)) return { kind: 'unclear' }
  const { ts } = carrier ?? seen.items[0]
  return { kind: 'published', id: ts, url: await addressOfMessage(call, channelId, ts) }
}

const searchFiles = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { channelId, files } = z.parse(Message, attempt.ref)
  const { sharedTs } = await lookAtFile(call, files[0]?.id ?? '', channelId)
  if (sharedTs === undefined) return { kind: 'absent' }
  return { kind: 'published', id: sharedTs, url: await addressOfMessage(call, channelId, sharedTs) }
}

/** Looks for the message in its channel, or queries whether the files are shared there. */
const probe = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { files } = z.parse(Message, attempt.ref)
  try {
    return await (files.length > 0 ? searchFiles(call, attempt) : searchText(call, attempt))
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    // Files that Slack no longer knows were never shared.
    return error.info.code === 'file_not_found' ? { kind: 'absent' } : { kind: 'unclear' }
  }
}

/** Deletes the message (chat.delete). For a message that Slack named only by its file, the file is deleted (files.delete). */
const remove = ({ ctx, account, post }: PlatformCall, id: string): Promise<void> => {
  const { channelId: channel } = z.parse(SlackMetadata, post.metadata)
  const request = id.startsWith('F')
    ? { method: 'files.delete', json: { file: id } }
    : { method: 'chat.delete', json: { channel, ts: id } }
  const gone = ['message_not_found', 'file_not_found', 'file_deleted']
  return removed(callSlack(ctx, account, { ...request, reply: z.unknown() }), ({ code = '' }) => gone.includes(code))
}

/**
 * Changes the text of the message; its metadata stay, and its blocks because they are sent again: a text alone would replace
 * them (chat.update). `parse` is that of a new message: it mentions no one.
 */
const edit = ({ ctx, account, post }: PlatformCall, ts: string): Promise<void> => {
  const { channelId: channel, format, blocks } = z.parse(SlackMetadata, post.metadata)
  const content = contentOf(post.text, format !== undefined, blocks)
  const json = { channel, ts, ...content, parse: 'none', link_names: false }
  const request = { method: 'chat.update', json, reply: z.unknown() }
  return edited(callSlack(ctx, account, request), definition.name, ({ code }) => code === 'message_not_found')
}

/**
 * Slack: a message carries the ID of its post, by which a lost one is found; for files, the query is whether they are
 * shared.
 */
export const slack: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  prepare,
  commit,
  // A message carries the ID of its post; files have separate IDs.
  findsByContent: ({ media }) => media.length === 0,
  commentCalls: 'reply',
  remove,
  edit,
  probe,
}
