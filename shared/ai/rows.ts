import { ifCurrent } from '../db/condition-failed.ts'
import { allOf, begins, equal } from '../db/expression.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { queryAll, transact } from '../db/table.ts'
import { returnToBudget } from './budget/charge.ts'
import { aiRowsOf } from './budget/usage.ts'
import { aiJobs } from './jobs/job.ts'
import { jobWork } from './jobs/work.ts'

export const aiRows: OwnedRows = {
  partitions: (workspaceId) => [aiRowsOf(workspaceId)],
  // What running calls and jobs have reserved.
  async refund(ctx, { workspaceId }) {
    const { PK, SK } = aiJobs.key({ workspaceId, id: '' })
    const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
    for (const job of aiJobs.readable(ctx, rows)) {
      if (job.payerId === undefined || job.finishedAt !== undefined) continue
      const writes = [{ delete: aiJobs.key(job), when: equal('status', job.status) }, returnToBudget(job)]
      await ifCurrent(transact(ctx, () => writes))
    }
  },
}

export const aiSweepRules = [jobWork.sweepRule]
