import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import type { CreatedResponse } from '../context.ts'
import { get, type Item, type Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { dayMs } from '../time.ts'
import { success } from './envelope.ts'
import { isIdempotent } from './remembered.ts'
import { header, type RequestContext, type Step } from './request-context.ts'

/** How long a response is stored, in milliseconds. */
const retentionMs = dayMs

const StoredAnswer = z.object({
  fingerprint: z.string(),
  expiresAt: z.number(),
  status: z.number(),
  answer: z.optional(z.instanceof(Uint8Array)),
  id: z.optional(z.string()),
})

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}

const fingerprint = (request: RequestContext) =>
  createHash('sha256')
    .update(`${request.contract.method} ${request.event.path}\n${JSON.stringify(sorted(request.json))}`)
    .update(request.binary?.bytes ?? '')
    .digest('base64url')

/**
 * The key of the request's idempotency record; undefined if no Idempotency-Key was sent or the route creates nothing.
 */
export const recordKey = (request: RequestContext, userId: string): Key | undefined => {
  const sent = header(request.event, 'Idempotency-Key')
  if (sent === undefined || !isIdempotent(request.contract)) return undefined
  const workspace = header(request.event, 'X-Workspace-Id') ?? ''
  const name = sent.replace(/^"(.*)"$/, '$1')
  return { PK: `IDEM#${digest([userId, workspace, request.contract.path, name].join('\n'))}`, SK: 'IDEM' }
}

const replay = (request: RequestContext, item: Item | undefined) => {
  if (item === undefined) return undefined
  const record = z.parse(StoredAnswer, item)
  if (record.expiresAt <= request.ctx.clock.now()) return undefined
  if (record.fingerprint !== fingerprint(request)) {
    throw new Refusal('mismatched', 'This Idempotency-Key was used with another request. Use a new key.', {
      code: 'idempotency_key_reused',
      field: 'Idempotency-Key',
    })
  }
  if (record.answer === undefined) {
    throw new Refusal('conflict', `This request already created ${record.id}. Its secret is returned only once.`, {
      code: 'secret_already_returned',
      extra: { id: record.id },
    })
  }
  request.headers['Idempotency-Replayed'] = 'true'
  return success(request, record.status, JSON.parse(gunzipSync(record.answer).toString('utf8')))
}

/**
 * Responds to a repeated creating request with the first response. If two requests race, the loser returns the winner's
 * response.
 */
export const idempotency = (): Step => {
  const keyOf = (request: RequestContext) =>
    request.callerId === undefined ? undefined : recordKey(request, request.callerId)
  return {
    before: ({ event: request }) => {
      const key = keyOf(request)
      if (key === undefined) return undefined
      const sent = header(request.event, 'Idempotency-Key') ?? ''
      if (sent.length < 1 || sent.length > 255) {
        throw new Refusal('invalid', '"Idempotency-Key" must have 1 to 255 characters.', {
          code: 'invalid_input',
          field: 'Idempotency-Key',
        })
      }
      const now = request.ctx.clock.now()
      const responseRow = ({ data, id }: CreatedResponse) => {
        const { secret, data: shape } = request.contract
        // Parsed like the response itself: only fields that may be sent are stored.
        const shown = shape === undefined ? null : z.parse(shape, data)
        const answer = secret ? { id } : { answer: gzipSync(JSON.stringify(shown)) }
        const times = { expiresAt: now + retentionMs, ttl: Math.ceil((now + retentionMs) / 1000) }
        return {
          ...key,
          type: 'Idempotency',
          fingerprint: fingerprint(request),
          status: request.contract.status,
          ...times,
          ...answer,
        }
      }
      request.ctx = { ...request.ctx, responseRow }
      return replay(request, request.prefetched.item(key))
    },
    onError: async (step) => {
      const { event: request, error } = step
      const key = keyOf(request)
      if (key === undefined || (error instanceof Refusal && error.reason !== 'conflict')) return undefined
      try {
        return replay(request, await get(request.ctx, key))
      } catch (refusal) {
        // Thrown here, it would bypass the envelope.
        if (refusal instanceof Refusal) step.error = refusal
        return undefined
      }
    },
  }
}
