import type { OwnedRows } from '../db/owned-rows.ts'
import { aiRowsOf } from './budget/usage.ts'

export const aiRows: OwnedRows = { partitions: (workspaceId) => [aiRowsOf(workspaceId)] }
