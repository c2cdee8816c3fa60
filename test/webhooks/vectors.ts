import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { signedHeaders } from '../../shared/webhooks/deliveries/signature.ts'

/** Computed once by another implementation of HMAC and recorded; `body` stands there `times` times. */
const Vector = z.strictObject({
  name: z.string(),
  secret: z.string(),
  previous: z.array(z.string()),
  eventId: z.string(),
  timestamp: z.int(),
  body: z.string(),
  times: z.int(),
  signature: z.string(),
  signaturePrevious: z.optional(z.string()),
  standard: z.string(),
})
export type Vector = z.infer<typeof Vector>

/** What the guide gives to receivers to try a verifier on. */
export const vectors = z.parse(
  z.array(Vector),
  JSON.parse(readFileSync(join(import.meta.dirname, 'vectors.json'), { encoding: 'utf8' })),
)

export const sign = (of: Pick<Vector, 'secret' | 'previous' | 'eventId' | 'timestamp'>, rawBody: string) => {
  const { secret, previous, timestamp } = of
  const event = { id: of.eventId }
  return signedHeaders({ event, deliveryId: 'dlv_1', attempt: 3, timestamp, rawBody, secret, previous })
}
