import type { Context } from '../../context.ts'
import { type NewAlert, raiseAlerts } from '../../notifications/alerts/raise.ts'
import type { WebhookEndpoint } from '../endpoints/endpoint.ts'

type About = Pick<NewAlert, 'id' | 'kind' | 'channels'> & { facts?: NewAlert['facts'] }

/** True once the alert is stored; it is raised again otherwise. */
const tell = async (ctx: Context, endpoint: WebhookEndpoint, { facts = {}, ...about }: About): Promise<boolean> => {
  const { id: targetId, workspaceId, name, url } = endpoint
  try {
    await raiseAlerts(ctx, [{ ...about, workspaceId, targetId, facts: { ...facts, name, url } }])
    return true
  } catch (error) {
    ctx.log.error('no alert about a webhook endpoint', { workspaceId, endpointId: targetId, reason: String(error) })
    return false
  }
}

/**
 * Notifies owners and admins that an endpoint has been failing for a number of hours. Decided: at the first failed probe (0
 * hours) only by push message; an email follows after one day and after three.
 */
export const alertFailing = (
  ctx: Context,
  endpoint: WebhookEndpoint,
  sinceMs: number,
  hours: number,
): Promise<boolean> =>
  tell(ctx, endpoint, {
    id: `${sinceMs}.${hours}`,
    kind: 'webhook_endpoint.failing',
    facts: { hours: String(hours) },
    channels: hours === 0 ? ['push'] : ['push', 'mail'],
  })

/** Notifies owners and admins that the service disabled an endpoint. */
export const alertDisabled = (ctx: Context, endpoint: WebhookEndpoint, reason: string): Promise<boolean> =>
  tell(ctx, endpoint, {
    id: endpoint.disabledAt ?? '',
    kind: 'webhook_endpoint.disabled',
    facts: { reason },
  })
