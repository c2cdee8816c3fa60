import type { Context } from '../context.ts'

/** Origins that the configuration allows by name although the guard would reject them, such as the local inbox. */
export const allowedOrigins = (ctx: Context): string[] => ctx.env('ALLOWED_ORIGINS').split(',').filter(Boolean)
