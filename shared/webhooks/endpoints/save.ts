import { commit, type Unit } from '../../commit/commit.ts'
import type { Context } from '../../context.ts'
import { currentOrThrow, onlyConditionFailed } from '../../db/condition-failed.ts'
import { equal } from '../../db/expression.ts'
import { type Retries, retryOnConflict } from '../../db/retry-on-conflict.ts'
import type { Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { endpointNotFound } from './find.ts'

/** Only the workspace has changed since it was read: through another endpoint. */
const saveRetries: Retries = {
  tries: 20,
  refusal: () =>
    new Refusal('conflict', 'The webhook endpoints of this workspace changed during the request. Try again.', {
      code: 'concurrent_update',
    }),
  isLost: (error) => onlyConditionFailed(error, 'workspace'),
}

/** The writes of an endpoint's row and of its summary, and other writes of the same transaction. */
interface Saving extends Partial<Unit> {
  row: Write
  summaries: Workspace['endpoints']
}

/**
 * Writes an endpoint together with its summary in the workspace's row, which the fan-out reads. It is planned again on
 * the fresh workspace while others change theirs; if the endpoint's own condition fails, the endpoint does not exist.
 */
export const saveEndpoint = (
  ctx: Context,
  workspace: Workspace,
  id: string,
  plan: (current: Workspace) => Saving,
): Promise<void> =>
  retryOnConflict(saveRetries, async (isFirst) => {
    const current = isFirst ? workspace : await workspaces.get(ctx, workspace)
    const notFound = () => endpointNotFound(id)
    // The workspace was deleted in the meantime.
    if (current === undefined) throw notFound()
    const { row, summaries, writes = [], ...unit } = plan(current)
    const summary = {
      as: 'workspace',
      update: workspaces.key(current),
      change: { set: { endpoints: summaries } },
      when: equal('endpoints', current.endpoints),
    }
    const saved = commit(ctx, workspace, { ...unit, writes: [{ ...row, as: 'endpoint' }, summary, ...writes] })
    await currentOrThrow(saved, notFound, 'endpoint')
  })
