import * as z from 'zod/mini'
import { readSecret } from '../../aws/secret.ts'
import { cachedSecrets } from '../../aws/secret-cache.ts'
import type { Context } from '../../context.ts'
import { VapidKeys, vapidSecret } from './vapid.ts'

/** Expo accepts messages without a token, unless the project requires one ("Enhanced Security for Push Notifications"). */
const ExpoSecret = z.object({ accessToken: z.string() })

const cached = cachedSecrets<string | undefined>()

const load = async (ctx: Context, name: string): Promise<string | undefined> => {
  try {
    return await readSecret(ctx, `${ctx.env('PUSH_SECRETS_PREFIX')}${name}`)
  } catch (error) {
    // A missing secret is never denied: the role may read every name below the prefix.
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

/** The text of a secret; undefined if it does not exist. */
const read = (ctx: Context, name: string): Promise<string | undefined> => cached(ctx, name, () => load(ctx, name))

/** The VAPID keys; throws if the operator has not created them. */
export const readVapidKeys = async (ctx: Context): Promise<VapidKeys> => {
  const text = await read(ctx, vapidSecret)
  if (text === undefined) throw new Error('there is no secret with the VAPID keys: run "operator -- create-vapid-keys"')
  return z.parse(VapidKeys, JSON.parse(text))
}

/** The access token of the Expo project; undefined if it needs none. */
export const readExpoToken = async (ctx: Context): Promise<string | undefined> => {
  const text = await read(ctx, 'expo')
  return text === undefined ? undefined : z.parse(ExpoSecret, JSON.parse(text)).accessToken
}
