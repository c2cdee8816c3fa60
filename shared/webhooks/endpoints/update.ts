import type * as z from 'zod/mini'
import type { Actor } from '../../audit/actor.ts'
import type { Unit } from '../../commit/commit.ts'
import type { Context } from '../../context.ts'
import { absent, allOf, type Condition, equal } from '../../db/expression.ts'
import { retryOnConflict } from '../../db/retry-on-conflict.ts'
import { logSecurity } from '../../security-log.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Health } from '../health/row.ts'
import { restarted, restartWrite } from '../health/writes.ts'
import { assertUrlAllowed } from './address.ts'
import { auditedChange, auditedEndpoint } from './audited.ts'
import { type EndpointView, endpoints, type WebhookEndpoint } from './endpoint.ts'
import { endpointNotFound, isEndpointNotFound } from './find.ts'
import type { UpdateWebhookRequest } from './requests.ts'
import { saveEndpoint } from './save.ts'
import { viewEndpoint } from './view.ts'

type Update = z.infer<typeof UpdateWebhookRequest>

/** A new URL, or an endpoint that is enabled again: its health is reset, and waiting deliveries are sent. */
const restartedBy = (
  endpoint: WebhookEndpoint,
  health: Health | undefined,
  { url, enabled }: Update,
  nowMs: number,
) => {
  const isOther = url !== undefined && url !== endpoint.url
  const isEnabledAgain = enabled === true && !endpoint.enabled
  if (!health || !(isOther || isEnabledAgain)) return undefined
  return restarted(endpoint, nowMs)
}

const enabledFields = ({ enabled: wasEnabled, disabledAt }: WebhookEndpoint, enabled: boolean, at: string) =>
  enabled
    ? { enabled, disabledReason: null, disabledAt: null }
    : { enabled, disabledAt: wasEnabled ? at : (disabledAt ?? at) }

const auditOf = (endpoint: WebhookEndpoint, changed: WebhookEndpoint, by: Actor): Pick<Unit, 'audit'> => {
  const [before, after] = [auditedEndpoint(endpoint), auditedChange(endpoint, changed)]
  if (JSON.stringify(before) === JSON.stringify(after)) return {}
  const target = { type: 'webhook_endpoint', id: endpoint.id } as const
  return { audit: { by, action: 'webhook_endpoint.updated', target, before, after } }
}

/** A change of an endpoint, with its health as read. */
interface EndpointChange {
  endpoint: WebhookEndpoint
  health: Health | undefined
  request: Update
}

/** The endpoint has not changed since it was read, so that the audit entry shows the previous values. */
const asRead = ({ name, url, events, enabled }: WebhookEndpoint): Condition =>
  allOf(absent('deletedAt'), equal('name', name), equal('url', url), equal('events', events), equal('enabled', enabled))

/** Changes only the fields that were sent; enabling an endpoint clears `disabledReason`. */
const changeEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  { endpoint, health, request }: EndpointChange,
  by: Actor,
): Promise<z.infer<typeof EndpointView>> => {
  const now = ctx.clock.now()
  const updatedAt = new Date(now).toISOString()
  const { name, url, enabled, includeChildWorkspaces } = request
  const events = request.events && [...new Set(request.events)]
  const scope = includeChildWorkspaces === undefined ? {} : { includeChildWorkspaces }
  const summary = { ...(events && { events }), ...(enabled !== undefined && { enabled }), ...scope }
  const set = {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(events && { events }),
    ...scope,
    ...(enabled !== undefined && enabledFields(endpoint, enabled, updatedAt)),
    updatedAt,
  }
  const fresh = restartedBy(endpoint, health, request, now)
  const changed: WebhookEndpoint = { ...endpoint, ...set }
  await saveEndpoint(ctx, workspace, endpoint.id, (current) => ({
    row: { update: endpoints.key(endpoint), change: { set }, when: asRead(endpoint) },
    summaries: current.endpoints.map((entry) => (entry.id === endpoint.id ? { ...entry, ...summary } : entry)),
    writes: fresh ? [restartWrite(fresh)] : [],
    ...auditOf(endpoint, changed, by),
  }))
  logSecurity(ctx, 'webhook_updated', { endpointId: endpoint.id, changed: Object.keys(request).join(' ') })
  return viewEndpoint(changed, fresh ?? health)
}

/** The same, once more on the fresh endpoint while others change it. */
export const updateEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  change: EndpointChange,
  by: Actor,
): Promise<z.infer<typeof EndpointView>> => {
  const { endpoint, request } = change
  if (request.url !== undefined) assertUrlAllowed(ctx, request.url)
  const refusal = () => endpointNotFound(endpoint.id)
  const view = await retryOnConflict({ tries: 20, refusal, isLost: isEndpointNotFound }, async (isFirst) => {
    const current = isFirst ? endpoint : await endpoints.get(ctx, endpoint)
    if (current === undefined || current.deletedAt !== undefined) return undefined
    return changeEndpoint(ctx, workspace, { ...change, endpoint: current }, by)
  })
  if (view === undefined) throw refusal()
  return view
}
