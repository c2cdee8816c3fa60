import type { Context } from '../context.ts'
import { batchGet, type Found, type Key } from '../db/table.ts'
import { Refusal } from '../errors.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Endpoint, endpoints } from './endpoint.ts'

/** What is said of an endpoint that is not there, or no longer. */
export const missing = (id: string): Refusal =>
  new Refusal('missing', `No webhook endpoint ${id} in this workspace.`, { field: 'id' })

/** The row of the endpoint a path names, for the read that also authorizes. */
export const endpointKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  endpoints.key({ workspaceId, id: params.id }),
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

/** The endpoints of a workspace, in the order they were made. */
export const listEndpoints = async (ctx: Context, workspace: Workspace): Promise<Endpoint[]> => {
  const keys = workspace.endpoints.map(({ id }) => ({ workspaceId: workspace.id, id }))
  if (keys.length === 0) return []
  const found = await batchGet(ctx, keys.map(endpoints.key))
  return keys.flatMap((key) => endpoints.from(found, key) ?? [])
}
