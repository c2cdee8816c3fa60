import type { Context } from '../../context.ts'
import { allowedOrigins } from '../../net/address.ts'
import { OutboundError } from '../../net/outbound.ts'
import { retryAfterSeconds, send } from '../../net/send.ts'
import type { WebPushDevice } from '../devices/device.ts'
import { encrypt } from './encrypt.ts'
import {
  type PushMessage,
  type PushProvider,
  type PushResult,
  providerTimeoutMs,
  timeToLiveSeconds,
} from './provider.ts'
import { readVapidKeys } from './secrets.ts'
import { vapidAuthorization } from './vapid.ts'
import type { VapidKeys } from './vapid-keys.ts'

/** The body of a push service's error is not shown to anyone. */
const readBytes = 4 * 1024

/** What a status means (RFC 8030, sections 5 and 7.3; the push services add 404, 429, and their own 5xx). */
const resultOf = (status: number, retryAfter: number | undefined): PushResult => {
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  if (status === 404 || status === 410) return { outcome: 'gone' }
  const reason = `the push service answered ${status}`
  if (status === 429 || status >= 500) return { outcome: 'retry', reason, retryAfterSeconds: retryAfter }
  return { outcome: 'rejected', reason }
}

const failureOf = ({ code, message }: OutboundError): PushResult =>
  code === 'blocked_address' || code === 'bad_address'
    ? { outcome: 'rejected', reason: message }
    : { outcome: 'retry', reason: message }

const requestOf = (
  ctx: Context,
  vapidKeys: VapidKeys,
  device: WebPushDevice,
  { title, body, url, tag, urgency }: PushMessage,
) => ({
  url: device.endpoint,
  method: 'POST',
  headers: {
    authorization: vapidAuthorization(vapidKeys, device.endpoint, `mailto:${ctx.env('MAIL_FROM')}`, ctx.clock.now()),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(timeToLiveSeconds),
    topic: tag,
    urgency,
  },
  body: encrypt(JSON.stringify({ title, body, url, tag }), device),
  totalMs: providerTimeoutMs,
  maxBytes: readBytes,
  // The endpoint comes from a user.
  guard: { allowedOrigins: allowedOrigins(ctx) },
})

/** Sends to browsers: one request for each message (RFC 8030), encrypted and signed with the key of this deployment. */
export const webPush = (ctx: Context): PushProvider<WebPushDevice> => {
  const sendOne = async (device: WebPushDevice, message: PushMessage): Promise<PushResult> => {
    const request = requestOf(ctx, await readVapidKeys(ctx), device, message)
    const effect = { service: 'web-push', action: 'POST', resource: new URL(device.endpoint).origin }
    try {
      const { status, headers } = await ctx.observe(effect, () => send(request))
      return resultOf(status, retryAfterSeconds(headers['retry-after'], ctx.clock.now()))
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return failureOf(error)
    }
  }
  return {
    batchSize: 1,
    send: (messages) => Promise.all(messages.map(({ device, message }) => sendOne(device, message))),
  }
}
