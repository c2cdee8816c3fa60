import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { absent, anyOf, atMost } from '../db/expression.ts'
import { get, type Item, type Key } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest } from '../ids.ts'
import { success } from './envelope.ts'
import { type Exchange, header, type Step } from './exchange.ts'
import { idempotencyRecord } from './idempotency-writes.ts'
import { isRemembered } from './remembered.ts'

/** How long an answer is remembered, in milliseconds (design, decision 9). */
const rememberedMs = 24 * 3_600_000

const Record = z.object({
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

const fingerprint = (exchange: Exchange) =>
  createHash('sha256')
    .update(`${exchange.contract.method} ${exchange.event.path}\n${JSON.stringify(sorted(exchange.json))}`)
    .digest('base64url')

/** The key of the record of this request, undefined where no Idempotency-Key was sent or the route creates nothing. */
export const recordKey = (exchange: Exchange, userId: string): Key | undefined => {
  const sent = header(exchange.event, 'Idempotency-Key')
  if (sent === undefined || !isRemembered(exchange.contract)) return undefined
  const workspace = header(exchange.event, 'X-Workspace-Id') ?? ''
  const name = sent.replace(/^"(.*)"$/, '$1')
  return { PK: `IDEM#${digest([userId, workspace, exchange.contract.path, name].join('\n'))}`, SK: 'IDEM' }
}

const replay = (exchange: Exchange, item: Item | undefined) => {
  if (item === undefined) return undefined
  const record = z.parse(Record, item)
  if (record.expiresAt <= exchange.ctx.clock.now()) return undefined
  if (record.fingerprint !== fingerprint(exchange)) {
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
  exchange.headers['Idempotency-Replayed'] = 'true'
  return success(exchange, record.status, JSON.parse(gunzipSync(record.answer).toString('utf8')))
}

/** Answers a repeated creating request with its first answer; a loser of the race reads the winner's. */
export const idempotency = (): Step => {
  const keyOf = (exchange: Exchange) =>
    exchange.principal === undefined ? undefined : recordKey(exchange, exchange.principal.userId)
  return {
    before: ({ event: exchange }) => {
      const key = keyOf(exchange)
      if (key === undefined) return undefined
      const sent = header(exchange.event, 'Idempotency-Key') ?? ''
      if (sent.length < 1 || sent.length > 255) {
        throw new Refusal('invalid', '"Idempotency-Key" must have 1 to 255 characters.', {
          code: 'invalid_input',
          field: 'Idempotency-Key',
        })
      }
      const now = exchange.ctx.clock.now()
      exchange.idempotencyWrites = (data, id) => {
        const { secret, data: shape } = exchange.contract
        // Parsed like the answer itself: nothing that may not leave is remembered.
        const shown = shape === undefined ? null : z.parse(shape, data)
        const answer = secret ? { id } : { answer: gzipSync(JSON.stringify(shown)) }
        const times = { expiresAt: now + rememberedMs, ttl: Math.ceil((now + rememberedMs) / 1000) }
        const row = {
          ...key,
          type: 'Idempotency',
          fingerprint: fingerprint(exchange),
          status: exchange.contract.status,
          ...times,
          ...answer,
        }
        return [{ as: idempotencyRecord, put: row, when: anyOf(absent('PK'), atMost('expiresAt', now)) }]
      }
      return replay(exchange, exchange.prefetched.item(key))
    },
    onError: async (request) => {
      const { event: exchange, error } = request
      const key = keyOf(exchange)
      if (key === undefined || (error instanceof Refusal && error.reason !== 'conflict')) return undefined
      try {
        return replay(exchange, await get(exchange.ctx, key))
      } catch (refusal) {
        // Thrown from here it would pass the envelope by.
        if (refusal instanceof Refusal) request.error = refusal
        return undefined
      }
    },
  }
}
