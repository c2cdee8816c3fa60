import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { absent, all, atLeast, equal } from '../db/expression.ts'
import { ConditionFailed, put, update } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import { type PlatformId, platformIds } from '../resources.ts'

const lifeMs = 10 * 60_000

/** Who began to connect what, remembered while the person is at the platform (platforms-b, rule 10). */
const OAuthState = z.object({
  userId: z.string(),
  workspaceId: z.string(),
  platform: z.enum(platformIds),
  /** Proves at the token door that the login was begun here (RFC 7636); worth nothing without the code. */
  verifier: z.string(),
})
export type OAuthState = z.infer<typeof OAuthState>

const key = (state: string) => ({ PK: `OAUTH#${digest(state)}`, SK: 'STATE' })

/** A secret for the way to the platform and back; it rests only as a hash. */
export const openState = async (
  ctx: Context,
  of: Omit<OAuthState, 'verifier'>,
): Promise<{ state: string; verifier: string }> => {
  const state = random62(43)
  const verifier = randomBytes(32).toString('base64url')
  const expiresAtMs = ctx.clock.now() + lifeMs
  const row = { ...key(state), type: 'OAuthState', ...of, verifier, expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) }
  await put(ctx, row, absent('PK'))
  return { state, verifier }
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
