import { type Context, perContext } from '../context.ts'
import type { PlatformId } from '../resources.ts'
import type { Hosts, PlatformSite } from './definition.ts'

/**
 * The base URL of a platform's endpoint. PLATFORM_ORIGINS may name another origin for a platform, as the local service
 * does with its stand-ins; it replaces all of that platform's hosts.
 */
export const baseUrlOf = (ctx: Context, { id, hosts }: Omit<PlatformSite, 'name'>, host: keyof Hosts): string =>
  originOf(ctx, id) ?? hosts[host]

const origins = perContext((ctx): Partial<Record<PlatformId, string>> => JSON.parse(ctx.env('PLATFORM_ORIGINS')))

/** The origin that replaces a platform's own hosts, if one is set. */
export const originOf = (ctx: Context, platform: PlatformId): string | undefined => origins(ctx)[platform]
