import type { Context } from '../../context.ts'
import { type AppSecret, readAppSecret } from '../app-secret.ts'
import { PlatformError } from '../platform-error.ts'
import { definition } from './definition.ts'

/** A name as Reddit gives it, with or without `u/` before it. */
const redditName = /^(?:\/?u\/)?([\w-]{3,20})$/

/**
 * The header `User-Agent` as Reddit asks for it of every caller: platform, id of the app, version, and a Reddit user who
 * answers for it (Reddit API, Rules, 2026-11-21). Throws `permission` for the operator where the app names no user.
 */
export const agentOf = ({ clientId, appId = clientId, redditUser = '' }: AppSecret): string => {
  const [, name] = redditName.exec(redditUser) ?? []
  if (name !== undefined) return `server:${appId}:0.1.0 (by /u/${name})`
  const text =
    'Reddit is not configured: the app secret has no Reddit user (`redditUser`). Contact the operator of this service.'
  throw new PlatformError('permission', text, { operator: true })
}

export const readAgent = async (ctx: Context): Promise<string> => agentOf(await readAppSecret(ctx, definition))
