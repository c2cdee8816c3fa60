import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { OutboundError, type OutboundResponse } from '../../net/outbound.ts'
import { retryAfterSeconds, send } from '../../net/send.ts'
import { expoOriginOf } from '../configured.ts'
import type { ExpoDevice } from '../devices/device.ts'
import {
  type PushMessage,
  type PushProvider,
  type PushResult,
  providerTimeoutMs,
  timeToLiveSeconds,
} from './provider.ts'
import { readExpoToken } from './secrets.ts'

// The formats are those of docs.expo.dev/push-notifications/sending-notifications and of expo-server-sdk 6.1.0.

const maxBytes = 256 * 1024

const Failed = z.object({
  status: z.literal('error'),
  details: z.optional(z.object({ error: z.optional(z.string()) })),
})
const Ticket = z.union([z.object({ status: z.literal('ok'), id: z.string() }), Failed])
const Receipt = z.union([z.object({ status: z.literal('ok') }), Failed])
const Tickets = z.object({ data: z.array(Ticket) })
const Receipts = z.object({ data: z.record(z.string(), Receipt) })

/** Transient errors; Expo asks to slow down or to try again. */
const passing = new Set(['MessageRateExceeded', 'ExpoError', 'ProviderError'])

const failureOf = ({ details }: z.infer<typeof Failed>): PushResult => {
  const error = details?.error ?? 'unknown'
  if (error === 'DeviceNotRegistered') return { outcome: 'gone' }
  const reason = `Expo answered ${error}`
  return passing.has(error) ? { outcome: 'retry', reason } : { outcome: 'rejected', reason }
}

const bodyOf = (device: ExpoDevice, { title, body, url, tag, urgency, data }: PushMessage) => ({
  to: device.token,
  title,
  body,
  data: { ...data, url },
  ttl: timeToLiveSeconds,
  priority: urgency === 'high' ? 'high' : 'default',
  sound: 'default',
  // iOS and Android have different names for it.
  collapseId: tag,
  tag,
})

/** The result of a call as a whole. */
const callFailure = (ctx: Context, { status, headers }: OutboundResponse): PushResult | undefined => {
  if (status === 200) return undefined
  const reason = `Expo answered ${status}`
  if (status !== 429 && status < 500) return { outcome: 'rejected', reason }
  return { outcome: 'retry', reason, retryAfterSeconds: retryAfterSeconds(headers['retry-after'], ctx.clock.now()) }
}

const parse = <T>(shape: z.ZodMiniType<T>, { body, truncated }: OutboundResponse): T | undefined => {
  if (truncated) return undefined
  try {
    return z.safeParse(shape, JSON.parse(Buffer.from(body).toString('utf8'))).data
  } catch {
    return undefined
  }
}

/** Calls Expo. Returns a result instead of the data if the call failed as a whole. */
const call = async <T>(
  ctx: Context,
  action: string,
  input: unknown,
  shape: z.ZodMiniType<T>,
): Promise<{ data: T } | { failure: PushResult }> => {
  const token = await readExpoToken(ctx)
  const origin = expoOriginOf(ctx) ?? ''
  const request = {
    url: `${origin}/--/api/v2/push/${action}`,
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(input),
    totalMs: providerTimeoutMs,
    maxBytes,
  }
  try {
    const answer = await ctx.observe({ service: 'expo', action, resource: origin }, () => send(request))
    const failure = callFailure(ctx, answer)
    if (failure !== undefined) return { failure }
    const data = parse(shape, answer)
    return data === undefined ? { failure: { outcome: 'retry', reason: 'Expo returned no valid JSON' } } : { data }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { failure: { outcome: 'retry', reason: error.message } }
  }
}

/** Sends to apps by the Expo push service: up to 100 messages in a call, each with a ticket and, later, a receipt. */
export const expo = (ctx: Context): PushProvider<ExpoDevice> => ({
  batchSize: 100,
  send: async (messages) => {
    const input = messages.map(({ device, message }) => bodyOf(device, message))
    const answer = await call(ctx, 'send', input, Tickets)
    if ('failure' in answer) return messages.map(() => answer.failure)
    return messages.map((_, at): PushResult => {
      const ticket = answer.data.data[at]
      if (ticket === undefined) return { outcome: 'retry', reason: 'Expo returned too few tickets' }
      return ticket.status === 'ok' ? { outcome: 'ticket', ticketId: ticket.id } : failureOf(ticket)
    })
  },
  readTickets: async (ids) => {
    const answer = await call(ctx, 'getReceipts', { ids }, Receipts)
    if ('failure' in answer) return ids.map(() => undefined)
    return ids.map((id): PushResult | undefined => {
      const receipt = answer.data.data[id]
      if (receipt === undefined) return undefined
      return receipt.status === 'ok' ? { outcome: 'sent' } : failureOf(receipt)
    })
  },
})
