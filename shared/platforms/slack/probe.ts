import * as z from 'zod/mini'
import { type PlatformCall, PlatformError, type Settled, type UnsettledAttempt } from '../platform.ts'
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

/** Apps outside of Slack's marketplace are shown no more at once (platforms-b, 8.6). */
const pageSize = 15
const mostPages = 5
/** How far Slack's clock and ours may be apart. */
const skewSeconds = 5
/** No request is under way longer than this. */
const landsWithinSeconds = 180

/** The message that was sent: its metadata tells; where Slack keeps that back, author, text and time, if they fit only one. */
const findOurs = (messages: readonly Said[], attempt: UnsettledAttempt, sent: string, me: unknown) => {
  const keyOf = ({ metadata }: Said) =>
    metadata?.event_payload && `${metadata.event_payload['post_id']}:${metadata.event_payload['v']}`
  const ours = messages.find((said) => keyOf(said) === attempt.clientKey)
  if (ours) return [ours]
  const since = attempt.armedAtMs / 1000 - skewSeconds
  return messages.filter(
    (said) =>
      keyOf(said) === undefined &&
      said.user === me &&
      Number(said.ts) >= since &&
      plainText(said.text ?? '').trim() === sent.trim(),
  )
}

const history = async (call: PlatformCall, channel: string, armedAtMs: number) => {
  const messages: Said[] = []
  const from = Math.floor(armedAtMs / 1000)
  let cursor = ''
  for (let page = 0; page < mostPages; page += 1) {
    const form = {
      channel,
      oldest: `${from - skewSeconds}.000000`,
      latest: `${from + landsWithinSeconds}.000000`,
      inclusive: 'true',
      include_all_metadata: 'true',
      limit: String(pageSize),
      ...(cursor ? { cursor } : {}),
    }
    const answer = await callSlack(call.ctx, call.account, { method: 'conversations.history', form, reply: Page })
    messages.push(...answer.messages)
    cursor = answer.response_metadata?.next_cursor ?? ''
    if (cursor === '') return { messages, whole: true }
  }
  return { messages, whole: false }
}

const searchText = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> => {
  const { channelId, text } = z.parse(Message, attempt.ref)
  // Only who is in a channel may read it; a text needs nobody to be in.
  await joinChannel(call.ctx, call.account, channelId)
  const { messages, whole } = await history(call, channelId, attempt.armedAtMs)
  const me = call.account.details['botUserId']
  const [ours, ...more] = findOurs(messages, attempt, text, me)
  if (!ours) return whole ? { kind: 'absent' } : { kind: 'unclear' }
  if (more.length > 0) return { kind: 'unclear' }
  return { kind: 'landed', id: ours.ts, url: await addressOfMessage(call, channelId, ours.ts) }
}

const searchFiles = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> => {
  const { channelId, files } = z.parse(Message, attempt.ref)
  const { sharedTs } = await lookAtFile(call, files[0]?.id ?? '', channelId)
  if (sharedTs === undefined) return { kind: 'absent' }
  return { kind: 'landed', id: sharedTs, url: await addressOfMessage(call, channelId, sharedTs) }
}

/** Looks for the message in its channel, or asks whether the files are shared there. */
export const probe = async (call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> => {
  const { files } = z.parse(Message, attempt.ref)
  try {
    return await (files.length > 0 ? searchFiles(call, attempt) : searchText(call, attempt))
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    // Files that Slack does not know any more were never shared.
    return error.facts.code === 'file_not_found' ? { kind: 'absent' } : { kind: 'unclear' }
  }
}
