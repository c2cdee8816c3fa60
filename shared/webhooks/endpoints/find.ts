import type { Context } from '../../context.ts'
import { type BatchRows, batchGet, type Key } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { type Health, healths } from '../health/row.ts'
import { endpoints, type WebhookEndpoint } from './endpoint.ts'
import { viewEndpoint } from './view.ts'

/** The refusal for an endpoint that does not exist or was deleted. */
export const endpointNotFound = (id: string): Refusal =>
  new Refusal('missing', `This workspace has no webhook endpoint ${id}.`, {
    code: 'webhook_endpoint_not_found',
    field: 'id',
  })

export const isEndpointNotFound = (error: unknown): boolean =>
  error instanceof Refusal && error.details.code === 'webhook_endpoint_not_found'

/** The row of the endpoint in the path, read together with the authorization. */
export const endpointKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }): Key[] => [
  endpoints.key({ workspaceId, id: params.id }),
]

/** The same, and the endpoint's health. */
export const endpointAndHealthKeys = ({ workspaceId, params }: { workspaceId: string; params: { id: string } }) => [
  endpoints.key({ workspaceId, id: params.id }),
  healths.key({ workspaceId, id: params.id }),
]

/** The endpoint, even if it was deleted: its log outlives it. */
export const findEndpointOrDeleted = (rows: BatchRows, workspaceId: string, id: string): WebhookEndpoint => {
  const endpoint = endpoints.from(rows, { workspaceId, id })
  if (!endpoint) throw endpointNotFound(id)
  return endpoint
}

export const findEndpoint = (rows: BatchRows, workspaceId: string, id: string): WebhookEndpoint => {
  const endpoint = findEndpointOrDeleted(rows, workspaceId, id)
  if (endpoint.deletedAt !== undefined) throw endpointNotFound(id)
  return endpoint
}

/** The health of an endpoint; undefined until it first fails or responds slowly. */
export const findHealth = (rows: BatchRows, { workspaceId, id }: WebhookEndpoint): Health | undefined =>
  healths.from(rows, { workspaceId, id })

/** The endpoints of a workspace with their health, in the order of creation, without those of a newer release. */
export const listEndpoints = async (ctx: Context, workspace: Workspace) => {
  const keys = workspace.endpoints.map(({ id }) => ({ workspaceId: workspace.id, id }))
  if (keys.length === 0) return []
  const rows = await batchGet(ctx, [...keys.map(endpoints.key), ...keys.map(healths.key)])
  const itemsOf = (key: (parts: (typeof keys)[number]) => Key) =>
    keys.map((parts) => rows.item(key(parts))).filter((item) => item !== undefined)
  const known = new Map(healths.readable(ctx, itemsOf(healths.key)).map((health) => [health.id, health]))
  return endpoints
    .readable(ctx, itemsOf(endpoints.key))
    .filter((endpoint) => known.has(endpoint.id) || rows.item(healths.key(endpoint)) === undefined)
    .map((endpoint) => viewEndpoint(endpoint, known.get(endpoint.id)))
}

/** Throws `webhook_endpoint_disabled` if an endpoint is disabled. */
export const assertEnabled = ({ enabled }: WebhookEndpoint): void => {
  if (enabled) return
  throw new Refusal('conflict', 'This webhook endpoint is disabled. Send PATCH with "enabled": true first.', {
    code: 'webhook_endpoint_disabled',
    field: 'id',
  })
}
