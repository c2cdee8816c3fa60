import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { allowedOrigins } from '../../net/address.ts'
import { OutboundError } from '../../net/outbound.ts'
import { retryAfterSeconds, send } from '../../net/send.ts'
import type { WebPushDevice } from '../devices/device.ts'
import {
  type PushMessage,
  type PushProvider,
  type PushResult,
  providerTimeoutMs,
  timeToLiveSeconds,
} from './provider.ts'
import { readVapidKeys } from './secrets.ts'
import { type VapidKeys, vapidAuthorization } from './vapid.ts'

/** The random parts of a message; only the test vector of RFC 8291 names them. */
interface Randomness {
  salt: Uint8Array
  /** The ephemeral private key of the sender. */
  privateKey: Uint8Array
}

const recordSize = 4096
const tagBytes = 16

const hkdf = (salt: Uint8Array, key: Uint8Array, info: Uint8Array, bytes: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, bytes))

const draw = (): Randomness => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { salt: randomBytes(16), privateKey: pair.getPrivateKey() }
}

/**
 * Encrypts a message for a subscription (RFC 8291) as one record of the content coding aes128gcm (RFC 8188). Push services
 * must accept 4,096 bytes of it (RFC 8030, section 7.2), so a text has at most 3,993 bytes.
 */
export const encrypt = (text: string, { keys }: Pick<WebPushDevice, 'keys'>, { salt, privateKey } = draw()): Buffer => {
  const [receiver, secret] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')]
  const sender = createECDH('prime256v1')
  sender.setPrivateKey(privateKey)
  const publicKey = sender.getPublicKey()
  // RFC 8291, section 3.4: the shared secret is bound to both keys and to the authentication secret.
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, publicKey])
  const keyMaterial = hkdf(secret, sender.computeSecret(receiver), info, 32)
  const key = hkdf(salt, keyMaterial, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(salt, keyMaterial, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The delimiter of the last record, without padding (RFC 8188, section 2).
  const record = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.of(2)), cipher.final()])
  const header = Buffer.alloc(21)
  header.set(salt)
  header.writeUInt32BE(recordSize, 16)
  header.writeUInt8(publicKey.length, 20)
  const message = Buffer.concat([header, publicKey, record, cipher.getAuthTag()])
  if (record.length + tagBytes > recordSize) throw new Error(`a push message of ${record.length} bytes is too long`)
  return message
}

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
