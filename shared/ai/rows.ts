import type { OwnedRows } from '../db/owned-rows.ts'
import { aiRowsOf } from './budget/usage.ts'
import { jobWork } from './jobs/work.ts'

export const aiRows: OwnedRows = { partitions: (workspaceId) => [aiRowsOf(workspaceId)] }

export const aiSweepRules = [jobWork.sweepRule]
