import type { ReceivedEvent } from './api.ts'

export interface VerifyOptions {
  /** How far the timestamp may be from the clock, in seconds: 300 by default. */
  toleranceSeconds?: number | undefined
  /** The time in milliseconds, instead of the clock. */
  now?: number | undefined
}

/** Thrown for a delivery that is not genuine, or not recent. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

type HeaderValue = string | readonly string[] | undefined

/** Headers as `fetch`, Node, Express, and AWS Lambda hand them over. */
export type WebhookHeaders = { get(name: string): string | null } | Readonly<Record<string, HeaderValue>>

/** A header by its lower-case name. */
export const headerIn = (headers: WebhookHeaders, name: string): string | undefined => {
  if (typeof headers['get'] === 'function') return headers['get'](name) ?? undefined
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1] as HeaderValue
  return typeof value === 'string' ? value : value?.[0]
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

const fromBase64 = (text: string) => {
  try {
    return Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
  } catch {
    return undefined
  }
}

const fromHex = (text: string) =>
  /^[0-9a-f]{64}$/.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : undefined

type Bytes = Uint8Array<ArrayBuffer>

/** `subtle.verify` compares in constant time. */
const matches = async (key: Bytes | undefined, signature: Bytes | undefined, prefix: string, body: Bytes) => {
  if (key === undefined || key.length === 0 || signature === undefined) return false
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  const head = bytesOf(prefix)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  return crypto.subtle.verify('HMAC', hmac, signature, signed)
}

/** More signatures than the service sends; the others are not tried. */
const maxSignatures = 8

const signaturesIn = (header: string | undefined, prefix: string): string[] =>
  (header ?? '')
    .split(' ')
    .filter((each) => each.startsWith(prefix))
    .slice(0, maxSignatures)
    .map((each) => each.slice(prefix.length))

/** The raw body of a delivery, before any parser. */
export type RawBody = string | Uint8Array | ArrayBuffer

/**
 * Throws a WebhookVerificationError unless a delivery is genuine and recent. Accepts the signatures of Standard Webhooks
 * (`webhook-signature`) and those of the service (`X-Service-Signature`).
 */
export const verifySignature = async (
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<void> => {
  const body = typeof rawBody === 'string' ? bytesOf(rawBody) : new Uint8Array(rawBody)
  const get = (name: string) => headerIn(headers, name)
  const isRecent = (timestamp: string) =>
    /^\d{1,12}$/.test(timestamp) && Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds
  const schemes = [
    {
      timestamp: get('webhook-timestamp') ?? '',
      prefix: `${get('webhook-id') ?? ''}.`,
      signatures: signaturesIn(get('webhook-signature'), 'v1,').map(fromBase64),
      keyOf: (each: string) => fromBase64(each.replace(/^whsec_/, '')),
    },
    {
      timestamp: get('x-service-timestamp') ?? '',
      prefix: '',
      signatures: [get('x-service-signature'), get('x-service-signature-previous')].flatMap((each) =>
        signaturesIn(each, 'v1=').map(fromHex),
      ),
      keyOf: bytesOf,
    },
  ].filter(({ signatures }) => signatures.length > 0)
  if (schemes.length === 0) throw new WebhookVerificationError('The request has no signature.')
  const recent = schemes.filter(({ timestamp }) => isRecent(timestamp))
  if (recent.length === 0) {
    throw new WebhookVerificationError(`The timestamp is more than ${toleranceSeconds} seconds from the clock.`)
  }
  for (const { timestamp, prefix, signatures, keyOf } of recent) {
    for (const key of [secret].flat().map(keyOf)) {
      for (const signature of signatures) {
        if (await matches(key, signature, `${prefix}${timestamp}.`, body)) return
      }
    }
  }
  throw new WebhookVerificationError('No signature matches. Is this the raw body, and the secret of this endpoint?')
}

/** Verifies a delivery like `verifySignature`, and returns its event. During a rotation, pass both secrets. */
export const verifyWebhook = async (
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<ReceivedEvent> => {
  await verifySignature(rawBody, headers, secret, options)
  return JSON.parse(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody))
}
