import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterOf } from '../http.ts'
import { type Classification, classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'

const name = 'Nostr'

/** Relays do not report how long: they count by the minute (nostr-rs-relay, messages_per_sec and subscriptions_per_min). */
const waitSeconds = 60

/** The prefixes in which relays say why they refuse an event (NIP-01, From relay to client, and NIP-42, 2026-07-22). */
const byPrefix = new Map<string, Classification>([
  ['blocked', ['blocked', 'relays do not accept posts of this account']],
  ['mute', ['blocked', 'relays ignored the post']],
  ['pow', ['blocked', 'relays ask for proof of work, which this service does not do']],
  ['restricted', ['blocked', 'relays accept posts of their members only']],
  ['auth-required', ['blocked', 'relays accepted no login of this account']],
  ['rate-limited', commonErrors.rateLimited],
  ['error', ['transient', 'relays could not store the post']],
])

/** Classifies the message with which a relay rejects an event, by its prefix. */
export const classifyRelayRefusal = (text: string): PlatformError => {
  const [, prefix = '', reason = text] = /^([a-z-]+):\s*(.*)$/s.exec(text) ?? []
  const classification = byPrefix.get(prefix) ?? commonErrors.postRejected
  const retry = classification === commonErrors.rateLimited ? { retryAfterSeconds: waitSeconds } : {}
  return classified(name, classification, { code: prefix, detail: shortDetail(reason), ...retry })
}

const ErrorBody = z.object({ message: z.string() })

const byStatus = (status: number): Classification => {
  if (status === 401 || status === 403) return ['blocked', 'media server does not accept files of this account']
  if (status === 402) return ['blocked', 'media server asks for a payment']
  if (status === 413) return ['invalid', 'media server does not accept files of this size.']
  if (status === 415) return ['invalid', 'media server does not accept files of this type.']
  return ['invalid', 'media server rejected the file']
}

/** Classifies an error response of a media server (BUD-02, Status codes, 2026-04-22). */
export const classifyMediaServerError = (response: ErrorResponse): PlatformError => {
  const { status, headers, body } = response
  const reason = headers['x-reason'] ?? z.safeParse(ErrorBody, body).data?.message ?? `HTTP ${status}`
  const info = { httpStatus: status, detail: shortDetail(reason) }
  if (status === 429) {
    const retryAfterSeconds = retryAfterOf(response) ?? waitSeconds
    return classified(name, commonErrors.rateLimited, { ...info, retryAfterSeconds })
  }
  return classified(name, byStatus(status), info)
}
