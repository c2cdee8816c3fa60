import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { Refusal } from '../../../shared/errors/refusal.ts'
import { described } from '../../../shared/http/described.ts'
import { isTableReachable } from '../../../shared/http/is-table-reachable.ts'
import { Raw } from '../../../shared/http/reply.ts'

const answer = (body: object) =>
  new Raw(JSON.stringify(body), 'application/json; charset=utf-8', { 'Cache-Control': 'no-store' })

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/health',
    summary: 'Health check',
    description:
      'With `deep=true`, the endpoint also reads the table: it returns 200 with `checks` if the table responds, and 503 with `checks` and `Retry-After` if not. Without it, the call costs nothing and says only that the API runs.',
    access: anyone,
    query: z.strictObject({
      deep: described(z.optional(z.enum(['true', 'false'])), '`true` also reads the table. `false` by default.'),
    }),
    status: 200,
    errors: ['unavailable'],
    needs: ['table:read'],
    limit: 'none',
  },
  async ({ ctx, query }) => {
    if (query.deep !== 'true') return answer({ status: 'ok' })
    if (await isTableReachable(ctx)) return answer({ status: 'ok', checks: { table: 'ok' } })
    throw new Refusal(
      'unavailable',
      'The service is running, but its table does not respond. Retry in a few seconds.',
      {
        code: 'unavailable',
        retryAfterSeconds: 5,
        extra: { status: 'unavailable', checks: { table: 'unavailable' } },
      },
    )
  },
)
