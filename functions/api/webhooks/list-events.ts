import * as z from 'zod/mini'
import { workspaceAdmin } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import { CatalogEntry, catalog } from '../../../shared/webhooks/catalog.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/webhooks/events',
    summary: 'List the event types, with an example of each',
    access: workspaceAdmin,
    status: 200,
    data: z.array(CatalogEntry),
    refuses: [],
    needs: ['table:read'],
  },
  () => [...catalog],
)
