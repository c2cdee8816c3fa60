import Stripe from 'stripe'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Refusal } from '../../errors/refusal.ts'

const retryAfterSeconds = 5

/** Stripe gave no clear response: the change may have been made there, and the next reading shows it. */
const noAnswer = () =>
  new Refusal(
    'unavailable',
    'Stripe did not respond. Read "GET /api/billing" before you repeat the request. Nothing is charged twice.',
    { code: 'billing_unavailable', retryAfterSeconds },
  )

const declined = (message: string) =>
  new Refusal('unpaid', `The payment failed: ${message} Nothing was changed. Update the payment method.`, {
    code: 'payment_failed',
    extra: { httpStatus: 402 },
  })

const rejected = () =>
  new Refusal('conflict', 'The subscription changed at Stripe during the request. Read it again, then retry.', {
    code: 'concurrent_update',
  })

const refusalFor = (ctx: Context, error: Stripe.errors.StripeError): Refusal => {
  const { type, code, message, statusCode, requestId } = error
  ctx.log.warn('stripe rejected a call', { type, code, statusCode, stripeRequestId: requestId, reason: message })
  if (error instanceof Stripe.errors.StripeCardError) return declined(message)
  if (error instanceof Stripe.errors.StripeInvalidRequestError) return rejected()
  return noAnswer()
}

/** Runs calls to Stripe; a failure becomes a refusal of the API. */
export const orRefuse = async <T>(ctx: Context, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) throw refusalFor(ctx, error)
    throw error
  }
}

/** A Stripe response, validated for the fields that the service reads. */
export const readAnswer = <T>(ctx: Context, shape: z.ZodMiniType<T>, answer: unknown): T => {
  const parsed = z.safeParse(shape, answer)
  if (parsed.success) return parsed.data
  const reason = parsed.error.issues.map(({ path, code }) => `${path.join('.')}: ${code}`).join(', ')
  ctx.log.error('a response of stripe has another shape', { reason })
  throw noAnswer()
}

/** Whether an object does not exist at Stripe, or no longer. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
