import type { Context, CreatedResponse } from '../context.ts'
import { absent, anyOf, atMost } from '../db/expression.ts'
import { keyOf, type Write } from '../db/table.ts'

/** The name of the write that stores a response (`as`). */
export const idempotencyRecord = 'idempotency-record'

/** The write that stores a response for the Idempotency-Key of the request; none without a response or a key. */
export const idempotencyWrites = (ctx: Context, response: CreatedResponse | undefined): Write[] => {
  const row = response && ctx.responseRow?.(response)
  if (row === undefined) return []
  const isFree = anyOf(absent('PK'), atMost('expiresAt', ctx.clock.now()))
  return [{ as: idempotencyRecord, put: row, when: isFree }]
}

/** The write that removes a stored response, so that a repeated request is carried out again. */
export const forgetResponse = (ctx: Context, response: CreatedResponse): Write[] =>
  idempotencyWrites(ctx, response).flatMap((write) => ('put' in write ? [{ delete: keyOf(write.put) }] : []))
