import * as z from 'zod/mini'
import { failureOf } from '../../aws/failure.ts'
import { readSecret } from '../../aws/secret.ts'
import { type Context, perContext } from '../../context.ts'
import { minuteMs } from '../../time.ts'
import { ProviderFailure } from '../failure.ts'

/** The keys of OpenAI-compatible endpoints; one that needs none is left out. */
const Keys = z.object({ textApiKey: z.optional(z.string()), speechApiKey: z.optional(z.string()) })
type Keys = z.infer<typeof Keys>

const keptMs = 5 * minuteMs

const kept = perContext(() => ({ keys: undefined as Promise<Keys> | undefined, untilMs: 0 }))

const parse = (secret: string): Keys => {
  try {
    return z.parse(Keys, JSON.parse(secret))
  } catch {
    throw new ProviderFailure('rejected', 'the secret with the API keys is malformed')
  }
}

const load = async (ctx: Context): Promise<Keys> => {
  // An endpoint of the operator's own can need no key, so the secret can be missing.
  const secret = await readSecret(ctx, ctx.env('AI_SECRET')).catch((error: unknown) => {
    const name = error instanceof Error ? error.name : 'no answer'
    if (name === 'ResourceNotFoundException') return '{}'
    throw new ProviderFailure(failureOf(error) === undefined ? 'rejected' : 'unreachable', `the API keys: ${name}`)
  })
  return parse(secret)
}

/** The header of a call; the secret is read again after five minutes, so that a rotated key takes effect. */
export const authorization = async (ctx: Context, key: keyof Keys): Promise<Record<string, string>> => {
  const known = kept(ctx)
  if (known.keys === undefined || known.untilMs <= ctx.clock.now()) {
    known.keys = load(ctx)
    known.untilMs = ctx.clock.now() + keptMs
    // A failure must not be kept as the keys.
    known.keys.catch(() => {
      known.keys = undefined
    })
  }
  const apiKey = (await known.keys)[key]
  return apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }
}
