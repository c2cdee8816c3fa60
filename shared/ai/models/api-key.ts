import * as z from 'zod/mini'
import { failureOf } from '../../aws/failure.ts'
import { readSecret } from '../../aws/secret.ts'
import { cachedSecrets } from '../../aws/secret-cache.ts'
import type { Context } from '../../context.ts'
import { ProviderFailure } from '../failure.ts'

/** The keys of OpenAI-compatible endpoints; an endpoint without a key is left out. */
const Keys = z.object({ textApiKey: z.optional(z.string()), speechApiKey: z.optional(z.string()) })
type Keys = z.infer<typeof Keys>

const cached = cachedSecrets<Keys>()

const parse = (secret: string): Keys => {
  try {
    return z.parse(Keys, JSON.parse(secret))
  } catch {
    throw new ProviderFailure('rejected', 'the secret with the API keys is malformed')
  }
}

const load = async (ctx: Context, secretName: string): Promise<Keys> => {
  // An endpoint of the operator's own can need no key, so the secret can be missing.
  const secret = await readSecret(ctx, secretName).catch((error: unknown) => {
    const name = error instanceof Error ? error.name : 'no response'
    if (name === 'ResourceNotFoundException') return '{}'
    throw new ProviderFailure(failureOf(error) === undefined ? 'rejected' : 'unreachable', `the API keys: ${name}`)
  })
  return parse(secret)
}

/** The header of a call. */
export const authorization = async (ctx: Context, key: keyof Keys): Promise<Record<string, string>> => {
  const secretName = ctx.env('AI_SECRET')
  const { [key]: apiKey } = await cached(ctx, secretName, () => load(ctx, secretName))
  return apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }
}
