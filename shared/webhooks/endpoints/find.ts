import type { Context } from '../../context.ts'
import { batchGet, type Found, type Key } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { type Health, healths } from '../health/row.ts'
import { type Endpoint, endpoints } from './endpoint.ts'
import { viewEndpoint } from './view.ts'

/** What is said of an endpoint that is not there, or no longer. */
export const missing = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no webhook endpoint ${id}.`, {
    code: 'webhook_endpoint_not_found',
    field: 'id',
  })

/** The row of the endpoint a path names, for the read that also authorizes. */
export const endpointKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  endpoints.key({ workspaceId, id: params.id }),
]

/** The same and how it fares. */
export const endpointAndHealthKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }) => [
  endpoints.key({ workspaceId, id: params.id }),
  healths.key({ workspaceId, id: params.id }),
]

/** The endpoint, also when it was deleted: its log outlives it. */
export const findWithLog = (found: Found, workspaceId: string, id: string): Endpoint => {
  const endpoint = endpoints.from(found, { workspaceId, id })
  if (!endpoint) throw missing(id)
  return endpoint
}

export const findEndpoint = (found: Found, workspaceId: string, id: string): Endpoint => {
  const endpoint = findWithLog(found, workspaceId, id)
  if (endpoint.deletedAt !== undefined) throw missing(id)
  return endpoint
}

/** How an endpoint fares; undefined where nothing is known against it. */
export const findHealth = (found: Found, { workspaceId, id }: Endpoint): Health | undefined =>
  healths.from(found, { workspaceId, id })

/** The endpoints of a workspace and how they fare, in the order they were made. */
export const listEndpoints = async (ctx: Context, workspace: Workspace) => {
  const keys = workspace.endpoints.map(({ id }) => ({ workspaceId: workspace.id, id }))
  if (keys.length === 0) return []
  const found = await batchGet(ctx, [...keys.map(endpoints.key), ...keys.map(healths.key)])
  return keys.flatMap((key) => {
    const endpoint = endpoints.from(found, key)
    return endpoint ? [viewEndpoint(endpoint, healths.from(found, key))] : []
  })
}
