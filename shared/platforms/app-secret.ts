import * as z from 'zod/mini'
import { readSecret } from '../aws/secret.ts'
import { cachedSecrets } from '../aws/secret-cache.ts'
import type { Context } from '../context.ts'
import type { PlatformDefinition } from './definition.ts'
import { PlatformError } from './platform-error.ts'

/** The operator's app at a platform, one for all workspaces. */
export const AppSecret = z.object({
  clientId: z.string(),
  clientSecret: z.string(),
  /** For platforms where a bot sends the posts. */
  botToken: z.optional(z.string()),
  /** The scopes to request beyond those that publishing needs, separated by spaces; see `scopesOf`. */
  scopes: z.optional(z.string()),
  /** Reddit: the user who is responsible for the app, and the name of the app if it differs from its id. */
  redditUser: z.optional(z.string()),
  appId: z.optional(z.string()),
})
export type AppSecret = z.infer<typeof AppSecret>

const cached = cachedSecrets<AppSecret>()

const load = async (ctx: Context, { id, name }: Pick<PlatformDefinition, 'id' | 'name'>): Promise<AppSecret> => {
  try {
    return z.parse(AppSecret, JSON.parse(await readSecret(ctx, `${ctx.env('PLATFORM_SECRETS_PREFIX')}${id}`)))
  } catch (error) {
    // A missing secret is never denied: the role may read every name below the prefix. A denial is a fault of the deployment.
    if (!(error instanceof Error) || error.name !== 'ResourceNotFoundException') throw error
    const text = `${name} is not configured: no app credentials are stored. Contact the operator of this service.`
    throw new PlatformError('permission', text, { operator: true })
  }
}

/** The operator's app at a platform. */
export const readAppSecret = (ctx: Context, platform: Pick<PlatformDefinition, 'id' | 'name'>): Promise<AppSecret> =>
  cached(ctx, platform.id, () => load(ctx, platform))

/**
 * The scopes that a login requests: those that publishing needs, and the ones in the secret of the operator's app. A secret
 * without `scopes` stands for the platform's optional scopes, an empty one for none of them.
 */
export const scopesOf = (
  { scopes }: AppSecret,
  needed: readonly string[],
  optional: readonly string[] = [],
): readonly string[] => [...needed, ...(scopes?.split(/\s+/).filter(Boolean) ?? optional)]
