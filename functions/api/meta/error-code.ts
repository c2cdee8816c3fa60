import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Refusal } from '../../../shared/errors/refusal.ts'
import { readBundledFile } from '../../../shared/http/bundled-file.ts'
import { described } from '../../../shared/http/described.ts'
import { Raw } from '../../../shared/http/reply.ts'
import { ErrorPage, errorCodePage } from '../../../shared/pages/error-code-page.ts'
import { layout } from '../../../shared/pages/layout.ts'
import { noDocumentPage } from '../../../shared/pages/not-found-page.ts'
import { pageForBrowsers } from '../../../shared/pages/page-for-browsers.ts'
import { pageHeaders } from '../../../shared/pages/send.ts'

const ErrorPages = z.record(z.string(), ErrorPage)

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/docs/errors/{code}',
    summary: 'Get the page of an error code',
    description:
      'Explains the code: what it means, what to do, an example, and the operations that return it. `docUrl` of every error points here.',
    access: anyone,
    params: z.object({
      code: described(z.string(), 'The `code` of an error.', { examples: ['post_not_found'] }),
    }),
    status: 200,
    errors: ['error_code_not_found'],
    needs: ['files'],
    limit: 'none',
  },
  async ({ ctx, params: { code } }) => {
    const pages = z.parse(ErrorPages, JSON.parse(await readBundledFile(ctx, 'errors.json')))
    const page = Object.hasOwn(pages, code) ? pages[code] : undefined
    if (page === undefined) {
      throw new Refusal('missing', `The API has no error code ${code}. GET /api/docs lists all codes.`, {
        code: 'error_code_not_found',
        field: 'code',
      })
    }
    const headers = { ...pageHeaders(), 'Cache-Control': 'public, max-age=3600' }
    return new Raw(
      layout(errorCodePage(code, page, `${ctx.env('BASE_URL')}/api/docs`)),
      'text/html; charset=utf-8',
      headers,
    )
  },
  pageForBrowsers(noDocumentPage),
)
