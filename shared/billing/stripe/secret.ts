import * as z from 'zod/mini'
import { readSecret } from '../../aws/secret.ts'
import { type Context, perContext } from '../../context.ts'
import { minuteMs } from '../../time.ts'

/** The operator's keys at Stripe. */
const StripeSecret = z.object({
  /** A restricted or secret API key. */
  apiKey: z.string(),
  /** The signing secret of the webhook endpoint that the operator created at Stripe. */
  webhookSecret: z.string(),
})
type StripeSecret = z.infer<typeof StripeSecret>

const heldMs = 5 * minuteMs

const held = perContext(() => ({ secret: undefined as Promise<StripeSecret> | undefined, untilMs: 0 }))

/** The keys at Stripe; read again after five minutes, so that rotated ones take effect. */
export const stripeSecret = (ctx: Context): Promise<StripeSecret> => {
  const kept = held(ctx)
  if (kept.secret !== undefined && kept.untilMs > ctx.clock.now()) return kept.secret
  const secret = readSecret(ctx, ctx.env('STRIPE_SECRET')).then((text) => z.parse(StripeSecret, JSON.parse(text)))
  Object.assign(kept, { secret, untilMs: ctx.clock.now() + heldMs })
  // A failure must not be cached as the keys.
  secret.catch(() => Object.assign(kept, { secret: undefined }))
  return secret
}
