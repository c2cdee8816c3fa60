import type * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { absent } from '../../db/expression.ts'
import type { Write } from '../../db/table.ts'
import { logSecurity } from '../../security-log.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { rearmed, rearmWrite } from '../health/rearm.ts'
import type { Health } from '../health/row.ts'
import { assertUrlAllowed } from './address.ts'
import { type Endpoint, type EndpointView, endpoints } from './endpoint.ts'
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

/** Changes only the fields that were sent; enabling an endpoint clears `disabledReason`. */
export const updateEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: Endpoint,
  health: Health | undefined,
  request: Update,
): Promise<z.infer<typeof EndpointView>> => {
  if (request.url !== undefined) assertUrlAllowed(ctx, request.url)
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
  const rest: Write[] = fresh ? [rearmWrite(fresh)] : []
  await saveEndpoint(ctx, workspace, endpoint.id, (current) => ({
    row: { update: endpoints.key(endpoint), change: { set }, when: absent('deletedAt') },
    summaries: current.endpoints.map((one) => (one.id === endpoint.id ? { ...one, ...summary } : one)),
    rest,
  }))
  logSecurity(ctx, 'webhook_updated', { endpointId: endpoint.id, changed: Object.keys(request).join(' ') })
  return viewEndpoint({ ...endpoint, ...set }, fresh ?? health)
}
