import { anyone } from '../../../shared/http/contract.ts'
import { endpoint, Raw } from '../../../shared/http/endpoint.ts'
import { readBeside } from '../../../shared/http/file.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This interface as an OpenAPI 3.1 document',
    access: anyone,
    status: 200,
    refuses: [],
    needs: ['files'],
    limit: 'none',
  },
  async ({ ctx }) => new Raw(await readBeside(ctx, 'openapi.json'), 'application/json; charset=utf-8'),
)
