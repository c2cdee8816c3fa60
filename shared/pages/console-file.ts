import { anyone } from '../access/access.ts'
import { endpoint, type HttpEndpoint } from '../access/endpoint.ts'
import type { Context } from '../context.ts'
import { assetHeadersOf, readBundledFile, Version } from '../http/bundled-file.ts'
import { strictTransport } from '../http/envelope.ts'
import { Raw } from '../http/reply.ts'
import { hasSessionIn } from '../identity/cookie.ts'
import { withQuery } from './own-page.ts'

/** The console's own files, this service, the media host, and the bucket, to which files are uploaded. */
const policy = (ctx: Context): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self' ${ctx.env('BUCKET_URL')}`,
    `img-src 'self' ${ctx.env('MEDIA_URL')}`,
    `media-src ${ctx.env('MEDIA_URL')}`,
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

const headersOf = (ctx: Context): Record<string, string> => ({
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': policy(ctx),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': strictTransport,
})

/** Where people sign in first. The browser would log the refused call of the console as an error. */
const toSignIn = (ctx: Context) =>
  new Raw(
    '',
    'text/html; charset=utf-8',
    { ...headersOf(ctx), Location: withQuery('login', { return: '/console' }) },
    303,
  )

/** A file of the console. The page and the files that it loads are the same for everyone; the data comes from the API. */
export const consoleFile = (
  path: `/${string}`,
  summary: string,
  name: `console${'.html' | '.css' | '.js' | '.svg' | '-plot.js'}`,
  type: 'text/html' | 'text/css' | 'text/javascript' | 'image/svg+xml',
): HttpEndpoint =>
  endpoint(
    {
      method: 'GET',
      path,
      summary,
      access: anyone,
      query: Version,
      status: 200,
      errors: [],
      needs: ['files'],
      limit: 'none',
    },
    async ({ ctx, query, request }) => {
      if (type === 'text/html' && !hasSessionIn(ctx, request.cookies)) return toSignIn(ctx)
      const text = await readBundledFile(ctx, name)
      const headers = type === 'text/html' ? headersOf(ctx) : assetHeadersOf(text, query.v)
      return new Raw(text, `${type}; charset=utf-8`, headers)
    },
  )
