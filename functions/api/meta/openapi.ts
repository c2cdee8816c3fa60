import { createHash } from 'node:crypto'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { readBundledFile } from '../../../shared/http/bundled-file.ts'
import { Raw } from '../../../shared/http/reply.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Get the OpenAPI 3.1 document',
    access: anyone,
    status: 200,
    errors: [],
    needs: ['files'],
    limit: 'none',
  },
  async ({ ctx }) => {
    const document = await readBundledFile(ctx, 'openapi.json')
    const hash = createHash('sha256').update(document).digest('base64url').slice(0, 27)
    // Any page may read the document: it is public, and so are the tools that show it.
    return new Raw(document, 'application/json; charset=utf-8', {
      ETag: `"${hash}"`,
      'Cache-Control': 'no-cache',
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'ETag, X-Request-Id',
      'X-Content-Type-Options': 'nosniff',
    })
  },
)
