import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { absent } from '../db/expression.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { demandReachable } from './address.ts'
import { type Endpoint, endpoints } from './endpoint.ts'
import type { UpdateWebhookRequest } from './requests.ts'
import { saveEndpoint } from './save.ts'

/** Changes what was asked for and nothing else; switching an endpoint on clears why it was off. */
export const updateEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  endpoint: Endpoint,
  request: z.infer<typeof UpdateWebhookRequest>,
): Promise<Endpoint> => {
  if (request.url !== undefined) demandReachable(ctx, request.url)
  const { name, url, enabled } = request
  const events = request.events && [...new Set(request.events)]
  const summary = { ...(events && { events }), ...(enabled !== undefined && { enabled }) }
  const set = {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(enabled && { disabledReason: null }),
    ...summary,
    updatedAt: new Date(ctx.clock.now()).toISOString(),
  }
  await saveEndpoint(ctx, workspace, endpoint.id, (current) => ({
    row: { update: endpoints.key(endpoint), change: { set }, when: absent('deletedAt') },
    summaries: current.endpoints.map((one) => (one.id === endpoint.id ? { ...one, ...summary } : one)),
  }))
  return { ...endpoint, ...set }
}
