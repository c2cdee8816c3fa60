import { anyone } from '../access/access.ts'
import { endpoint, type HttpEndpoint } from '../access/endpoint.ts'
import { Raw } from '../http/reply.ts'

/** A script of a page at a separate address: the policy of a page allows no inline scripts. */
export const scriptFile = (path: `/${string}.js`, summary: string, source: string): HttpEndpoint =>
  endpoint(
    { method: 'GET', path, summary, access: anyone, status: 200, errors: [], needs: [], limit: 'none' },
    () =>
      new Raw(source, 'text/javascript; charset=utf-8', {
        'Cache-Control': 'public, max-age=300',
        'X-Content-Type-Options': 'nosniff',
      }),
  )
