import type { Context } from '../../context.ts'
import { conditionFailed, onlyConditionFailed } from '../../db/condition-failed.ts'
import { equal } from '../../db/expression.ts'
import { transact, type Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type Workspace, workspaces } from '../../workspaces/workspace.ts'
import { endpointNotFound } from './find.ts'

/** More than concurrent changes of ten endpoints can lose in a row. */
const maxTries = 20

/** The writes of an endpoint's row, of its summary, and of what belongs to the same transaction. */
interface Saving {
  row: Write
  summaries: Workspace['endpoints']
  rest?: readonly Write[]
}

/**
 * Writes an endpoint together with its summary in the workspace's row, which the fan-out reads. It is planned again on
 * the fresh workspace while others change theirs; if the endpoint's own condition fails, the endpoint does not exist.
 */
export const saveEndpoint = async (
  ctx: Context,
  workspace: Workspace,
  id: string,
  plan: (current: Workspace) => Saving,
): Promise<void> => {
  let current = workspace
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const { row, summaries, rest = [] } = plan(current)
    const change = { set: { endpoints: summaries } }
    const summary = {
      as: 'workspace',
      update: workspaces.key(current),
      change,
      when: equal('endpoints', current.endpoints),
    }
    try {
      return await transact(ctx, () => [{ ...row, as: 'endpoint' }, summary, ...rest])
    } catch (error) {
      if (conditionFailed(error, 'endpoint')) throw endpointNotFound(id)
      // Only the workspace has changed since it was read: through another endpoint.
      if (!onlyConditionFailed(error, 'workspace')) throw error
    }
    const fresh = await workspaces.get(ctx, workspace)
    // The workspace was deleted meanwhile.
    if (fresh === undefined) throw endpointNotFound(id)
    current = fresh
  }
  throw new Refusal('conflict', 'The webhook endpoints of this workspace changed during the request. Try again.', {
    code: 'concurrent_update',
  })
}
