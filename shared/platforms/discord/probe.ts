import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { PlatformError } from '../platform-error.ts'
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

const search = async ({ ctx, account }: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> => {
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
      (nonce === undefined || String(nonce) === attempt.clientKey) &&
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

/** Looks for the message among those sent since the attempt. */
export const probe = (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> =>
  search(call, attempt).catch((error: unknown) => {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  })
