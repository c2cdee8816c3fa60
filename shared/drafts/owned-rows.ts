import { countsOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { drafts } from './draft.ts'

export const draftRows: OwnedRows = {
  partitions: (workspaceId) => [drafts.key({ workspaceId, id: '' }).PK, countsOf(workspaceId, 'DRAFT')],
}
