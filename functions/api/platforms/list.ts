import * as z from 'zod/mini'
import { anyone } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { readBundledFile } from '../../../shared/http/bundled-file.ts'
import { Reply } from '../../../shared/http/reply.ts'
import { PlatformView } from '../../../shared/platforms/platform-view.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/platforms',
    summary: 'List platforms and their rules',
    description:
      'How accounts are connected, how long a text may be and how it is counted, which files are taken and what is converted, the metadata as JSON Schema: the very rules by which posts are validated, each with its source.',
    access: anyone,
    status: 200,
    data: z.array(PlatformView),
    errors: [],
    needs: ['files'],
    limit: 'none',
  },
  // It changes with a deployment only.
  async ({ ctx }) =>
    new Reply(JSON.parse(await readBundledFile(ctx, 'platforms.json')), { 'Cache-Control': 'public, max-age=3600' }),
)
