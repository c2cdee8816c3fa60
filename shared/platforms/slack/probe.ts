import * as z from 'zod/mini'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { PlatformError } from '../platform-error.ts'
import { addressOfMessage, lookAtFile } from './address.ts'
import { callSlack } from './api.ts'
import { joinChannel } from './channels.ts'
import { Message } from './publish.ts'
import { plainText } from './text.ts'

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

/** Apps outside of Slack's marketplace are shown no more at once (Slack, Rate limits, conversations.history). */
const pageSize = '15'
/** Only the minutes in which the message can have been published are read: this many pages hold 300 messages. */
const maxPages = 20
/** How far Slack's clock and ours may be apart. */
const clockSkewMs = 5_000

/** What a message carries to be found by. */
const keyOf = ({ metadata }: Said) =>
  metadata?.event_payload && `${metadata.event_payload['post_id']}:${metadata.event_payload['v']}`

/** A moment as Slack writes it. */
const toTs = (ms: number) => `${Math.floor(ms / 1000)}.000000`

const history = (call: PlatformCall, channel: string, attempt: UnsettledAttempt, isOurs: (said: Said) => boolean) => {
  const { fromMs, untilMs } = windowOf(attempt, clockSkewMs)
  const form = {
    channel,
    oldest: toTs(fromMs),
    latest: toTs(untilMs),
    inclusive: 'true',
    include_all_metadata: 'true',
    limit: pageSize,
  }
  return lookBack<Said, string>({
    clock: call.ctx.clock,
    // To the second, as it is asked for.
    fromMs: Math.floor(fromMs / 1000) * 1000,
    maxPages,
    async read(cursor) {
      const { messages, response_metadata: more } = await callSlack(call.ctx, call.account, {
        method: 'conversations.history',
        form: cursor === undefined ? form : { ...form, cursor },
        totalMs: pageMs,
        reply: Page,
      })
      return { items: messages, next: more?.next_cursor || undefined }
    },
    atMs: ({ ts }) => Number(ts) * 1000,
    isOurs,
  })
}

/** Identifies the message by its metadata; without metadata by author, text, and time, if they fit only one message. */
const searchText = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> => {
  const { channelId, text } = z.parse(Message, attempt.ref)
  // Only a member can read a channel; posting a text needs no membership.
  await joinChannel(call.ctx, call.account, channelId)
  const me = call.account.details['botUserId']
  const isLike = (said: Said) =>
    keyOf(said) === undefined && said.user === me && plainText(said.text ?? '').trim() === text.trim()
  const isOurs = (said: Said) => keyOf(said) === attempt.clientKey || isLike(said)
  const seen = await history(call, channelId, attempt, isOurs)
  if (seen.kind !== 'found') return seen
  const carrier = seen.items.find((said) => keyOf(said) === attempt.clientKey)
  if (!carrier && seen.items.length > 1) return { kind: 'unclear' }
  const { ts } = carrier ?? seen.items[0]
  return { kind: 'published', id: ts, url: await addressOfMessage(call, channelId, ts) }
}

const searchFiles = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> => {
  const { channelId, files } = z.parse(Message, attempt.ref)
  const { sharedTs } = await lookAtFile(call, files[0]?.id ?? '', channelId)
  if (sharedTs === undefined) return { kind: 'absent' }
  return { kind: 'published', id: sharedTs, url: await addressOfMessage(call, channelId, sharedTs) }
}

/** Looks for the message in its channel, or asks whether the files are shared there. */
export const probe = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> => {
  const { files } = z.parse(Message, attempt.ref)
  try {
    return await (files.length > 0 ? searchFiles(call, attempt) : searchText(call, attempt))
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    // Files that Slack does not know any more were never shared.
    return error.facts.code === 'file_not_found' ? { kind: 'absent' } : { kind: 'unclear' }
  }
}
