import { createHash } from 'node:crypto'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { readBundledFile } from '../../../shared/http/bundled-file.ts'
import { Raw } from '../../../shared/http/reply.ts'

/** The document with the address of this service, local or deployed, in its `servers` and its links to our pages. */
const atBase = (document: string, baseUrl: string) =>
  document
    .replace('"servers":[{"url":"/"}]', `"servers":[{"url":"${baseUrl}"}]`)
    .replaceAll('](/api/docs', `](${baseUrl}/api/docs`)

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Get the OpenAPI 3.1 document',
    description: 'Returns the document that this reference shows, as JSON. Generate clients and tests from it.',
    access: anyone,
    status: 200,
    errors: [],
    needs: ['files'],
    limit: 'none',
  },
  async ({ ctx }) => {
    const document = atBase(await readBundledFile(ctx, 'openapi.json'), ctx.env('BASE_URL'))
    const hash = createHash('sha256').update(document).digest('base64url').slice(0, 27)
    // Any origin may read the document: it is public, and so are the tools that show it.
    return new Raw(document, 'application/json; charset=utf-8', {
      ETag: `"${hash}"`,
      'Cache-Control': 'no-cache',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
      'X-Content-Type-Options': 'nosniff',
    })
  },
)
