import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Raw } from '../../../shared/http/reply.ts'
import { browserIn } from '../../../shared/pages/cookie.ts'
import { layout } from '../../../shared/pages/layout.ts'
import { pageHeaders } from '../../../shared/pages/send.ts'
import { browserPlatforms } from '../../../shared/platforms/connectors.ts'
import { handleCallback } from '../../../shared/social-accounts/callback.ts'

const text = z.optional(z.string().check(z.maxLength(4000)))

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/social-accounts/connect/{platform}/callback',
    summary: 'OAuth callback of a platform',
    description: 'Returns an HTML page, not the envelope. Accepts a login only in the browser that started it.',
    access: anyone,
    params: z.strictObject({ platform: z.enum(browserPlatforms) }),
    // Platforms send more parameters than these.
    query: z.looseObject({ state: text, code: text, error: text }),
    status: 200,
    errors: [],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets'],
  },
  async ({ ctx, params: { platform }, query, request }) => {
    const page = await handleCallback(ctx, platform, query, browserIn(ctx, request.cookies))
    return new Raw(layout(page), 'text/html; charset=utf-8', pageHeaders())
  },
)
