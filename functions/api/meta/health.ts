import { anyone } from '../../../shared/http/contract.ts'
import { endpoint, Raw } from '../../../shared/http/endpoint.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the service answers',
    access: anyone,
    status: 200,
    refuses: [],
    needs: [],
    limit: 'none',
  },
  () => new Raw(JSON.stringify({ status: 'ok' }), 'application/json; charset=utf-8', { 'Cache-Control': 'no-store' }),
)
