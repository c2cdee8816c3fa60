import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { readBundledFile } from '../../../shared/http/bundled-file.ts'
import { Reply } from '../../../shared/http/reply.ts'
import { currentApi, type WithApi } from '../../../shared/platforms/api-end.ts'
import { PlatformView } from '../../../shared/platforms/platform-view.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/platforms',
    summary: 'List platforms and their rules',
    description:
      'How accounts are connected, how long a text can be and how it is counted, which files are accepted and what is converted, the metadata as JSON Schema, whether posts take first comments and threads, and when an API ends. Posts are validated by these same rules; each rule names its source.',
    access: anyone,
    status: 200,
    data: z.array(PlatformView),
    errors: [],
    needs: ['files'],
    limit: 'none',
  },
  // Changes only with a deployment.
  async ({ ctx }) => {
    const views: (PlatformView & WithApi)[] = JSON.parse(await readBundledFile(ctx, 'platforms.json'))
    const current = views.map((view) => ({ ...view, api: currentApi(ctx, view) }))
    return new Reply(current, { 'Cache-Control': 'public, max-age=3600' })
  },
)
