import * as z from 'zod/mini'
import { readSecret } from '../../aws/secret.ts'
import { type Context, perContext } from '../../context.ts'
import { PlatformError } from '../platform.ts'

const AppSecret = z.object({ clientId: z.string(), clientSecret: z.string(), botToken: z.string() })
type AppSecret = z.infer<typeof AppSecret>

const heldMs = 5 * 60_000

const held = perContext((): { secret?: Promise<AppSecret>; untilMs: number } => ({ untilMs: 0 }))

const load = async (ctx: Context): Promise<AppSecret> => {
  try {
    return z.parse(AppSecret, JSON.parse(await readSecret(ctx, `${ctx.env('PLATFORM_SECRETS_PREFIX')}discord`)))
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throw error
    throw new PlatformError('permission', 'Discord is not set up: the operator must store its app.', { operator: true })
  }
}

/** The operator's Discord app, one for all workspaces; read anew every five minutes, so that a new token is seen. */
export const readAppSecret = (ctx: Context): Promise<AppSecret> => {
  const kept = held(ctx)
  if (kept.secret && kept.untilMs > ctx.clock.now()) return kept.secret
  const secret = load(ctx)
  kept.secret = secret
  kept.untilMs = ctx.clock.now() + heldMs
  // A failure must not be remembered as if it were the app.
  secret.catch(() => {
    kept.untilMs = 0
  })
  return secret
}
