import type { Context } from '../context.ts'
import { absent, all, equal } from '../db/expression.ts'
import type { Write } from '../db/table.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { type Endpoint, endpoints } from './endpoint.ts'
import { saveEndpoint } from './save.ts'

const disabledReason = 'The receiver answered 410 Gone.'

/** A receiver that says 410 Gone wants no more: its endpoint is switched off in the transaction that logs the answer. */
export const switchOff = async (ctx: Context, workspace: Workspace, endpoint: Endpoint, log: Write): Promise<void> => {
  const updatedAt = new Date(ctx.clock.now()).toISOString()
  await saveEndpoint(ctx, workspace, endpoint.id, (current) => ({
    row: {
      update: endpoints.key(endpoint),
      change: { set: { enabled: false, disabledReason, updatedAt } },
      // With another address it has another receiver, which said nothing.
      when: all(absent('deletedAt'), equal('url', endpoint.url)),
    },
    summaries: current.endpoints.map((one) => (one.id === endpoint.id ? { ...one, enabled: false } : one)),
    rest: [log],
  }))
}
