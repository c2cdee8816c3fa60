import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { actorByLink } from '../../../shared/audit/actor.ts'
import { described } from '../../../shared/http/described.ts'
import { Raw } from '../../../shared/http/reply.ts'
import { browserIn } from '../../../shared/identity/cookie.ts'
import { layout } from '../../../shared/pages/layout.ts'
import { pageForBrowsers } from '../../../shared/pages/page-for-browsers.ts'
import { pageHeaders } from '../../../shared/pages/send.ts'
import { browserPlatforms } from '../../../shared/platforms/definitions.ts'
import { handleCallback } from '../../../shared/social-accounts/callback.ts'
import { unfinishedPage } from '../../../shared/social-accounts/connect-pages.ts'

/** Printable ASCII (RFC 6749, appendix A). All three fit in one request of API Gateway: 10,240 bytes with its headers. */
const printable = (maxLength: number) => z.optional(z.string().check(z.maxLength(maxLength), z.regex(/^[ -~]*$/)))

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/connect/{platform}/callback',
    summary: 'OAuth callback of a platform',
    description:
      'Returns an HTML page, not the envelope. Accepts a login only in the browser that started it. A link with `redirectUrl` ends in a redirect there (303), with the outcome as query parameters.',
    access: anyone,
    params: z.strictObject({
      platform: described(z.enum(browserPlatforms), 'The platform that sends the browser back.'),
    }),
    // Platforms send more parameters than these.
    query: z.looseObject({
      state: described(printable(300), 'The value that names the login. The platform returns it unchanged.'),
      code: described(printable(2000), 'The authorization code of the platform. Absent if the person declined.'),
      error: described(printable(300), 'The error of the platform, if the person declined or something failed.'),
    }),
    status: 200,
    errors: [],
    needs: [
      ...(['table:read', 'table:write', 'queue:events', 'kms:decrypt'] as const),
      ...(['kms:decrypt:server', 'platform-secrets', 'origins'] as const),
    ],
  },
  async (call) => {
    const { ctx, params, query, request } = call
    const browser = browserIn(ctx, request.cookies)
    const page = await handleCallback(ctx, params.platform, query, { browser, by: actorByLink(call) })
    if ('away' in page) return new Raw('', 'text/html; charset=utf-8', { ...pageHeaders(), Location: page.away }, 303)
    return new Raw(layout(page), 'text/html; charset=utf-8', pageHeaders(false, page.hasImage, page.brandColor))
  },
  pageForBrowsers(unfinishedPage),
)
