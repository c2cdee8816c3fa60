import { createHash } from 'node:crypto'
import type { APIGatewayProxyResult } from 'aws-lambda'
import { strictTransport } from '../http/envelope.ts'
import type { RequestContext } from '../http/request-context.ts'
import { brandStyle } from './brand-style.ts'
import { layout, type Page } from './layout.ts'
import { style } from './style.ts'

/** A redirect; always to one of our own pages, with an absolute path. */
export class Redirect {
  readonly to: string
  readonly cookie: string | undefined
  constructor(to: string, cookie?: string) {
    this.to = to
    this.cookie = cookie
  }
}

const hashOf = (sheet: string) => `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`

const policy = (hasScript: boolean, hasImage: boolean, brandColor: string | undefined) =>
  [
    "default-src 'none'",
    ['style-src', hashOf(style), ...(brandColor === undefined ? [] : [hashOf(brandStyle(brandColor))])].join(' '),
    // The page's script, and the service worker that the script registers.
    ...(hasScript ? ["script-src 'self'", "worker-src 'self'"] : []),
    ...(hasImage ? ['img-src https:'] : []),
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/** Addresses contain tokens: no caching, no referrer, no framing, and no scripts but the page's own. */
export const pageHeaders = (hasScript = false, hasImage = false, brandColor?: string): Record<string, string> => ({
  'Cache-Control': 'no-store',
  'Content-Security-Policy': policy(hasScript, hasImage, brandColor),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': strictTransport,
})

const headersOf = (
  request: RequestContext,
  { script, hasImage, brandColor }: Pick<Page, 'script' | 'hasImage' | 'brandColor'> = {},
): Record<string, string> => ({
  ...pageHeaders(script !== undefined, hasImage, brandColor),
  'X-Request-Id': request.requestId,
  ...request.headers,
})

export const sendPage = (request: RequestContext, statusCode: number, page: Page): APIGatewayProxyResult => ({
  statusCode,
  headers: {
    ...headersOf(request, page),
    'Content-Type': 'text/html; charset=utf-8',
    ...(page.cookie === undefined ? {} : { 'Set-Cookie': page.cookie }),
  },
  body: layout(page),
})

/** All pages are siblings, so a relative address works below any base path. */
export const sendRedirect = (request: RequestContext, { to, cookie }: Redirect): APIGatewayProxyResult => ({
  statusCode: 303,
  headers: {
    ...headersOf(request),
    'Content-Type': 'text/html; charset=utf-8',
    Location: to.replace(/^\//, ''),
    ...(cookie === undefined ? {} : { 'Set-Cookie': cookie }),
  },
  body: '',
})
