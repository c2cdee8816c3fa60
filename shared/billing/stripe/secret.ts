import * as z from 'zod/mini'
import { readSecret } from '../../aws/secret.ts'
import { cachedSecrets } from '../../aws/secret-cache.ts'
import type { Context } from '../../context.ts'

/** The operator's keys at Stripe. */
const StripeSecret = z.object({
  /** A restricted or secret API key. */
  apiKey: z.string(),
  /** The signing secret of the webhook endpoint that the operator created at Stripe. */
  webhookSecret: z.string(),
})
type StripeSecret = z.infer<typeof StripeSecret>

const cached = cachedSecrets<StripeSecret>()

/** The keys at Stripe. */
export const stripeSecret = (ctx: Context): Promise<StripeSecret> => {
  const name = ctx.env('STRIPE_SECRET')
  return cached(ctx, name, async () => z.parse(StripeSecret, JSON.parse(await readSecret(ctx, name))))
}
