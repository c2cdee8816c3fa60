import Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { absent } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { dayMs } from '../time.ts'
import { stripeSecret } from './stripe/secret.ts'

/** Decided: Stripe sends an event again for three days; its id is remembered for a week. */
const rememberedDays = 7

/** Signatures older than this are rejected (docs.stripe.com/webhooks/signature). */
const toleranceSeconds = 300

/** An event of Stripe that was acted on. */
export const stripeEvents = entity({
  type: 'StripeEvent',
  shape: z.object({ id: z.string(), ttl: z.number() }),
  key: ({ id }: { id: string }) => ({ PK: `STRIPE_EVENT#${id}`, SK: 'EVENT' }),
})

/** The name of that write in a transaction (`as`). */
export const eventRecord = 'stripe-event'

export const rememberEvent = (ctx: Context, id: string): Write => {
  const ttl = Math.ceil((ctx.clock.now() + rememberedDays * dayMs) / 1000)
  return { as: eventRecord, put: stripeEvents.item({ id, ttl }), when: absent('PK') }
}

/** The longest ID of an event; Stripe's have less than 40 characters, and keys of DynamoDB at most 2,048 bytes. */
const maxIdLength = 255

/** The required part of an event: it only says whose state to read. */
const Hint = z.object({
  id: z.string().check(z.maxLength(maxIdLength)),
  data: z.object({
    object: z.object({
      id: z.optional(z.string()),
      object: z.optional(z.string()),
      customer: z.optional(z.nullable(z.union([z.string(), z.object({ id: z.string() })]))),
    }),
  }),
})

const customerIn = ({ data: { object } }: z.infer<typeof Hint>): string | undefined => {
  if (object.object === 'customer') return object.id
  return typeof object.customer === 'string' ? object.customer : object.customer?.id
}

/**
 * A time and at least one signature (docs.stripe.com/webhooks/signature). For others, Stripe's library throws errors of
 * other types.
 */
const signatureHeader = /^t=\d{1,12}(?:,v\d+=[0-9A-Za-z]+)+$/

const forged = () =>
  new Refusal('invalid', 'The signature of this event is missing, wrong, or too old. Check the signing secret.', {
    code: 'invalid_signature',
    field: 'Stripe-Signature',
  })

const parsed = (rawBody: string): unknown => {
  try {
    return JSON.parse(rawBody)
  } catch {
    throw new Refusal('invalid', 'The body of this event is not valid JSON.', { code: 'invalid_json' })
  }
}

/**
 * The id and the customer of an event. Throws 400 unless Stripe signed these bytes within the last five minutes, and they
 * are JSON.
 */
export const verifyStripeEvent = async (
  ctx: Context,
  rawBody: string,
  signature: string | undefined,
): Promise<{ id?: string; customerId?: string | undefined }> => {
  if (signature === undefined || !signatureHeader.test(signature)) throw forged()
  const { webhookSecret } = await stripeSecret(ctx)
  const verifier = Stripe.webhooks.signature
  if (verifier === null) throw new Error('this build of stripe cannot verify signatures')
  try {
    verifier.verifyHeader(rawBody, signature, webhookSecret, toleranceSeconds, undefined, ctx.clock.now())
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw forged()
    throw error
  }
  const hint = z.safeParse(Hint, parsed(rawBody))
  // Signed, but of a kind that names no customer.
  return hint.success ? { id: hint.data.id, customerId: customerIn(hint.data) } : {}
}
