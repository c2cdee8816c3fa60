import { type Context, perContext } from '../context.ts'
import type { PlatformId } from '../resources.ts'

/** The base URLs of each platform: authorization endpoint, token endpoint, and API. */
const bases = {
  x: { auth: 'https://x.com', token: 'https://api.x.com', api: 'https://api.x.com' },
  threads: {
    auth: 'https://threads.net',
    token: 'https://graph.threads.net',
    api: 'https://graph.threads.net',
  },
  linkedin: {
    auth: 'https://www.linkedin.com',
    token: 'https://www.linkedin.com',
    api: 'https://api.linkedin.com',
  },
  instagram: {
    auth: 'https://www.instagram.com',
    token: 'https://api.instagram.com',
    api: 'https://graph.instagram.com',
  },
  tiktok: {
    auth: 'https://www.tiktok.com',
    token: 'https://open.tiktokapis.com',
    api: 'https://open.tiktokapis.com',
  },
  facebook: {
    auth: 'https://www.facebook.com',
    token: 'https://graph.facebook.com',
    api: 'https://graph.facebook.com',
  },
  pinterest: {
    auth: 'https://www.pinterest.com',
    token: 'https://api.pinterest.com',
    api: 'https://api.pinterest.com',
  },
  youtube: {
    auth: 'https://accounts.google.com',
    token: 'https://oauth2.googleapis.com',
    api: 'https://www.googleapis.com',
  },
  reddit: {
    auth: 'https://www.reddit.com',
    token: 'https://www.reddit.com',
    api: 'https://oauth.reddit.com',
  },
  discord: { auth: 'https://discord.com', token: 'https://discord.com', api: 'https://discord.com' },
  slack: { auth: 'https://slack.com', token: 'https://slack.com', api: 'https://slack.com' },
} as const satisfies Partial<Record<PlatformId, Readonly<Record<string, string>>>>

/**
 * The base URL of a platform's endpoint. PLATFORM_ORIGINS may name another origin for a platform, as the local service
 * does with its stand-ins; it replaces all of that platform's hosts.
 */
export const baseUrlOf = (ctx: Context, platform: keyof typeof bases, host: 'auth' | 'token' | 'api'): string =>
  originOf(ctx, platform) ?? bases[platform][host]

const origins = perContext((ctx): Partial<Record<PlatformId, string>> => JSON.parse(ctx.env('PLATFORM_ORIGINS')))

/** The origin that replaces a platform's own hosts, if one is set. */
export const originOf = (ctx: Context, platform: PlatformId): string | undefined => origins(ctx)[platform]
