import { readBundledFile } from '../http/bundled-file.ts'
import { Raw } from '../http/reply.ts'
import { anyone } from './access.ts'
import { endpoint } from './endpoint.ts'

/** A text at the root of the host. It names the address of the service by the mark `{baseUrl}`. */
export const textFile = (path: `/${string}.txt`, summary: string, description: string) =>
  endpoint(
    {
      method: 'GET',
      path,
      summary,
      description,
      access: anyone,
      status: 200,
      errors: [],
      needs: ['files'],
      limit: 'none',
    },
    async ({ ctx }) => {
      const text = await readBundledFile(ctx, path.slice(1))
      return new Raw(text.replaceAll('{baseUrl}', ctx.env('BASE_URL')), 'text/plain; charset=utf-8', {
        'Cache-Control': 'public, max-age=3600',
        'X-Content-Type-Options': 'nosniff',
      })
    },
  )
