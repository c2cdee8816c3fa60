import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { PlatformError } from '../platform-error.ts'
import { callSlack } from './api.ts'

/** The URL of a message: from Slack, else as Slack builds it. The message is published, so nothing may fail here. */
export const addressOfMessage = async (
  { ctx, account }: PlatformCall,
  channel: string,
  ts: string,
): Promise<string> => {
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

/** A file as Slack knows it: when it appeared in a channel, if it has, and its own address. */
export const lookAtFile = async (
  { ctx, account }: PlatformCall,
  file: string,
  channel: string,
): Promise<{ sharedTs: string | undefined; permalink: string | null }> => {
  const request = { method: 'files.info', form: { file }, totalMs: 3_000, reply: Shown }
  const { shares, permalink = null } = (await callSlack(ctx, account, request)).file
  const inChannel = [...(shares?.public?.[channel] ?? []), ...(shares?.private?.[channel] ?? [])]
  return { sharedTs: inChannel[0]?.ts, permalink }
}
