import * as z from 'zod/mini'
import { anyone } from '../access/access.ts'
import { endpoint } from '../access/endpoint.ts'
import { actorByLink } from '../audit/actor.ts'
import { described } from '../http/described.ts'
import { Raw } from '../http/reply.ts'
import { browserIn } from '../identity/cookie.ts'
import { layout } from '../pages/layout.ts'
import { pageForBrowsers } from '../pages/page-for-browsers.ts'
import { pageHeaders } from '../pages/send.ts'
import type { BrowserPlatform } from '../platforms/definitions.ts'
import type { Need } from '../resources.ts'
import { handleCallback } from './callback.ts'
import { unfinishedPage } from './connect-pages.ts'

/** Printable ASCII (RFC 6749, appendix A). All four fit in one request of API Gateway: 10,240 bytes with its headers. */
const printable = (maxLength: number) => z.optional(z.string().check(z.maxLength(maxLength), z.regex(/^[ -~]*$/)))

/** The operation to which a platform, or one server of it, redirects the browser. */
export const callbackEndpoint = <
  Path extends `/api/social-accounts/connect/{platform}/callback${string}`,
  Params extends { platform: BrowserPlatform; server?: string },
>(
  path: Path,
  params: z.ZodMiniType<Params>,
  { summary, description, needs }: { summary: string; description: string; needs: readonly Need[] },
) =>
  endpoint(
    {
      method: 'GET',
      path,
      summary,
      description: `Returns an HTML page, not the envelope. Accepts a login only in the browser that started it. ${description} A link with \`redirectUrl\` ends in a redirect there (303), with the outcome as query parameters.`,
      access: anyone,
      params,
      // Platforms send more parameters than these.
      query: z.looseObject({
        state: described(printable(300), 'The value that names the login. The platform returns it unchanged.'),
        code: described(printable(2000), 'The authorization code of the platform. Absent if the person declined.'),
        error: described(printable(300), 'The error of the platform, if the person declined or something failed.'),
        iss: described(printable(300), 'The issuer of the code (RFC 9207), where a server sends it.'),
      }),
      status: 200,
      errors: [],
      needs: [
        ...(['table:read', 'table:write', 'queue:events', 'kms:decrypt', 'origins'] as const),
        // The location of the app's secret.
        ...needs,
      ],
    },
    async (call) => {
      const { ctx, query, request } = call
      const { platform, server }: { platform: BrowserPlatform; server?: string } = call.params
      const browser = browserIn(ctx, request.cookies)
      const page = await handleCallback(ctx, { platform, host: server }, query, { browser, by: actorByLink(call) })
      if ('away' in page) return new Raw('', 'text/html; charset=utf-8', { ...pageHeaders(), Location: page.away }, 303)
      return new Raw(layout(page), 'text/html; charset=utf-8', pageHeaders(false, page.hasImage, page.brandColor))
    },
    pageForBrowsers(unfinishedPage),
  )
