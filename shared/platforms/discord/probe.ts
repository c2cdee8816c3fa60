import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { type PlatformCall, PlatformError, type Settled, type UnsettledAttempt } from '../platform.ts'
import { callDiscord } from './api.ts'
import { Message, messageUrl } from './publish.ts'

const Sent = z.object({
  id: z.string(),
  content: z.string(),
  timestamp: z.string(),
  author: z.object({ id: z.string() }),
  attachments: z.array(z.unknown()),
  nonce: z.optional(z.union([z.string(), z.number()])),
})

const pageSize = 100
/** How far Discord's clock and ours may be apart. */
const slackMs = 5_000
/** No request is under way longer than this. */
const landsWithinMs = 120_000

/** The smallest message id of a moment (Discord, Snowflakes). */
const idAt = (ms: number) => String(BigInt(Math.max(0, ms - 1_420_070_400_000)) << 22n)

const readMessages = (ctx: Context, channelId: string, query: Readonly<Record<string, string>>) =>
  callDiscord(ctx, {
    path: '/channels/{channel}/messages',
    params: { channel: channelId },
    query,
    reply: z.array(Sent),
  })

const search = async ({ ctx, account }: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> => {
  const { channelId, content, files } = z.parse(Message, attempt.ref)
  const me = await callDiscord(ctx, { path: '/users/@me', reply: z.object({ id: z.string() }) })
  const after = idAt(attempt.armedAtMs - slackMs)
  const messages = await readMessages(ctx, channelId, { after, limit: String(pageSize) })
  const ours = messages.find(
    ({ author, nonce, ...sent }) =>
      author.id === me.id &&
      (nonce === undefined || String(nonce) === attempt.clientKey) &&
      // Discord trims.
      sent.content.trim() === content.trim() &&
      sent.attachments.length === files,
  )
  if (ours) return { kind: 'landed', id: ours.id, url: messageUrl(account, channelId, ours.id) }
  if (messages.length === 0) {
    // A bot that may not read the history is shown an empty one (Discord, Get Channel Messages).
    const any = await readMessages(ctx, channelId, { limit: '1' })
    return any.length > 0 ? { kind: 'absent' } : { kind: 'unclear' }
  }
  const seenUntil = Math.max(...messages.map(({ timestamp }) => Date.parse(timestamp)))
  const all = messages.length < pageSize || seenUntil > attempt.armedAtMs + landsWithinMs
  return all ? { kind: 'absent' } : { kind: 'unclear' }
}

/** Looks for the message among those sent since the attempt. */
export const probe = (call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> =>
  search(call, attempt).catch((error: unknown) => {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  })
