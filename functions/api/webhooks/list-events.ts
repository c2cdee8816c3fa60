import * as z from 'zod/mini'
import { orApplication, workspaceAdmin } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { CatalogEntry } from '../../../shared/events/catalog.ts'
import { readBundledFile } from '../../../shared/http/bundled-file.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/events',
    summary: 'List the event types',
    description:
      'Lists every type that an endpoint can subscribe to, each with an example and the JSON Schema of its `data`.',
    access: orApplication(workspaceAdmin),
    status: 200,
    data: z.array(CatalogEntry),
    errors: [],
    needs: ['table:read', 'files'],
  },
  async ({ ctx }): Promise<z.infer<typeof CatalogEntry>[]> =>
    JSON.parse(await readBundledFile(ctx, 'event-types.json')),
)
