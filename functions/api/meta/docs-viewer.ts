import { anyone } from '../../../shared/http/contract.ts'
import { endpoint, Raw } from '../../../shared/http/endpoint.ts'
import { readBeside } from '../../../shared/http/file.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/docs/viewer.js',
    summary: 'The script of the reference page (Redoc)',
    access: anyone,
    status: 200,
    errors: [],
    needs: ['files'],
    limit: 'none',
  },
  async ({ ctx }) =>
    new Raw(await readBeside(ctx, 'viewer.js'), 'text/javascript; charset=utf-8', {
      'Cache-Control': 'public, max-age=86400',
      'X-Content-Type-Options': 'nosniff',
    }),
)
