import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { assetHeadersOf, readBundledFile, Version } from '../../../shared/http/bundled-file.ts'
import { Raw } from '../../../shared/http/reply.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/docs/viewer.js',
    summary: 'Get the script of the API reference (Scalar)',
    description: 'Returns the script that draws the reference page. Only the page itself needs it.',
    access: anyone,
    query: z.strictObject(Version.shape),
    status: 200,
    errors: [],
    needs: ['files'],
    limit: 'none',
  },
  async ({ ctx, query }) => {
    const script = await readBundledFile(ctx, 'viewer.js')
    return new Raw(script, 'text/javascript; charset=utf-8', assetHeadersOf(script, query.v))
  },
)
