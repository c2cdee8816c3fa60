import { createHmac } from 'node:crypto'
import type { Event } from '../../events/event.ts'
import { version } from '../../version.ts'

/** The parameters of a signature. */
export interface Signing {
  event: Pick<Event, 'id'>
  deliveryId: string
  attempt: number
  /** The API call that led to the event, if it is known. */
  correlationId?: string | undefined
  /** Unix seconds, new for every attempt. */
  timestamp: number
  rawBody: string
  secret: string
  /** Secrets that still sign in addition to the current one, newest first. */
  previous: readonly string[]
}

const userAgent = `Service-Webhooks/${version}`

const hex = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

/** The key of a Standard Webhooks signature is what `whsec_` encodes (standardwebhooks.com, 1.0.0). */
const standard = (secret: string, text: string) =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(text)
    .digest('base64')}`

/**
 * The headers of a delivery: the four of the specification with exactly one signature, plus the previous secret's
 * signature and the three of Standard Webhooks.
 */
export const signedHeaders = (signing: Signing): Record<string, string> => {
  const { event, correlationId, timestamp, rawBody, secret, previous } = signing
  const ours = `${timestamp}.${rawBody}`
  const theirs = `${event.id}.${timestamp}.${rawBody}`
  const [older] = previous
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': userAgent,
    'X-Service-Signature': `v1=${hex(secret, ours)}`,
    ...(older === undefined ? {} : { 'X-Service-Signature-Previous': `v1=${hex(older, ours)}` }),
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Event-Id': event.id,
    'X-Service-Delivery-Id': signing.deliveryId,
    'X-Service-Delivery-Attempt': String(signing.attempt),
    ...(correlationId === undefined ? {} : { 'X-Correlation-Id': correlationId }),
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': [secret, ...previous].map((key) => standard(key, theirs)).join(' '),
  }
}
