import Stripe from 'stripe'
import type { Context } from '../../context.ts'
import { httpClientOf } from './http-client.ts'
import { stripeSecret } from './secret.ts'

/**
 * Decided: a call has 4 s, and one retry by the library with the same Idempotency-Key. Three calls in a row end within
 * the 28 s of an API function.
 */
const timeoutMs = 4_000
const maxNetworkRetries = 1

/** Stripe's library with the keys of the deployment. */
export const stripeOf = async (ctx: Context): Promise<Stripe> => {
  const { apiKey } = await stripeSecret(ctx)
  return new Stripe(apiKey, {
    timeout: timeoutMs,
    maxNetworkRetries,
    telemetry: false,
    httpClient: httpClientOf(ctx, ctx.env('STRIPE_ORIGIN')),
  })
}
