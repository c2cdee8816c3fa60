import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { absent, all, atLeast, equal } from '../db/expression.ts'
import { ConditionFailed, put, update } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import { type PlatformId, platformIds } from '../resources.ts'

const lifeMs = 10 * 60_000

/** Who began to connect what, remembered while the person is at the platform (platforms-b, rule 10). */
const OAuthState = z.object({ userId: z.string(), workspaceId: z.string(), platform: z.enum(platformIds) })
export type OAuthState = z.infer<typeof OAuthState>

const key = (state: string) => ({ PK: `OAUTH#${digest(state)}`, SK: 'STATE' })

/** A secret for the way to the platform and back; it rests only as a hash. */
export const openState = async (ctx: Context, of: OAuthState): Promise<string> => {
  const state = random62(43)
  const expiresAtMs = ctx.clock.now() + lifeMs
  const row = { ...key(state), type: 'OAuthState', ...of, expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) }
  await put(ctx, row, absent('PK'))
  return state
}

/** What a state stands for; it works once, for ten minutes, for its own platform. */
export const takeState = async (ctx: Context, platform: PlatformId, state: string): Promise<OAuthState | undefined> => {
  const now = ctx.clock.now()
  const fresh = all(equal('platform', platform), atLeast('expiresAtMs', now), absent('usedAtMs'))
  try {
    return z.parse(OAuthState, await update(ctx, key(state), { set: { usedAtMs: now } }, fresh))
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}
