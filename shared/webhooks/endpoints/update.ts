import type * as z from 'zod/mini'
import type { Actor } from '../../audit/actor.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { absent, allOf, type Condition, equal } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { logSecurity } from '../../security-log.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { rearmed, rearmWrite } from '../health/rearm.ts'
import type { Health } from '../health/row.ts'
import { assertUrlAllowed } from './address.ts'
import { auditedChange, auditedEndpoint } from './audited.ts'
import { type Endpoint, type EndpointView, endpoints } from './endpoint.ts'
import { isEndpointNotFound } from './find.ts'
import type { UpdateWebhookRequest } from './requests.ts'
import { saveEndpoint } from './save.ts'
import { viewEndpoint } from './view.ts'

type Update = z.infer<typeof UpdateWebhookRequest>

/** A new URL, or an endpoint that is enabled again: its health is reset, and waiting deliveries are sent. */
const rearmedBy = (endpoint: Endpoint, health: Health | undefined, { url, enabled }: Update, nowMs: number) => {
  const isOther = url !== undefined && url !== endpoint.url
  const isEnabledAgain = enabled === true && !endpoint.enabled
  if (!health || !(isOther || isEnabledAgain)) return undefined
  return rearmed(endpoint, nowMs)
}

const enabledFields = ({ enabled: wasEnabled, disabledAt }: Endpoint, enabled: boolean, at: string) =>
  enabled
    ? { enabled, disabledReason: null, disabledAt: null }
    : { enabled, disabledAt: wasEnabled ? at : (disabledAt ?? at) }

const recordUpdate = (ctx: Context, endpoint: Endpoint, changed: Endpoint, by: Actor): Write[] => {
  const { workspaceId, id } = endpoint
  const [before, after] = [auditedEndpoint(endpoint), auditedChange(endpoint, changed)]
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  const target = { type: 'webhook_endpoint' as const, id }
  return [recordAudit(ctx, by, { workspaceId, action: 'webhook_endpoint.updated', target, before, after })]
}

/** The endpoint is as it was read, so that the entry of the audit trail says what was there before. */
const asRead = ({ name, url, events, enabled }: Endpoint): Condition =>
  allOf(absent('deletedAt'), equal('name', name), equal('url', url), equal('events', events), equal('enabled', enabled))

/** Changes only the fields that were sent; enabling an endpoint clears `disabledReason`. */
const changeEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: Endpoint,
  health: Health | undefined,
  request: Update,
  by: Actor,
): Promise<z.infer<typeof EndpointView>> => {
  const now = ctx.clock.now()
  const updatedAt = new Date(now).toISOString()
  const { name, url, enabled } = request
  const events = request.events && [...new Set(request.events)]
  const summary = { ...(events && { events }), ...(enabled !== undefined && { enabled }) }
  const set = {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(events && { events }),
    ...(enabled !== undefined && enabledFields(endpoint, enabled, updatedAt)),
    updatedAt,
  }
  const fresh = rearmedBy(endpoint, health, request, now)
  const changed: Endpoint = { ...endpoint, ...set }
  const rest = [...(fresh ? [rearmWrite(fresh)] : []), ...recordUpdate(ctx, endpoint, changed, by)]
  await saveEndpoint(ctx, workspace, endpoint.id, (current) => ({
    row: { update: endpoints.key(endpoint), change: { set }, when: asRead(endpoint) },
    summaries: current.endpoints.map((one) => (one.id === endpoint.id ? { ...one, ...summary } : one)),
    rest,
  }))
  logSecurity(ctx, 'webhook_updated', { endpointId: endpoint.id, changed: Object.keys(request).join(' ') })
  return viewEndpoint(changed, fresh ?? health)
}

/** More than concurrent changes of one endpoint can lose in a row. */
const maxTries = 20

/** The same, once more on the fresh endpoint while others change it. */
export const updateEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: Endpoint,
  health: Health | undefined,
  request: Update,
  by: Actor,
): Promise<z.infer<typeof EndpointView>> => {
  if (request.url !== undefined) assertUrlAllowed(ctx, request.url)
  let current = endpoint
  for (let tries = 1; ; tries += 1) {
    try {
      return await changeEndpoint(ctx, workspace, current, health, request, by)
    } catch (error) {
      if (!isEndpointNotFound(error) || tries === maxTries) throw error
      const fresh = await endpoints.get(ctx, endpoint)
      if (fresh === undefined || fresh.deletedAt !== undefined) throw error
      current = fresh
    }
  }
}
