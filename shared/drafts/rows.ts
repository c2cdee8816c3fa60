import { countKeysOf } from '../db/counters.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { drafts } from './draft.ts'

export const draftRows: OwnedRows = {
  keys: (workspaceId) => countKeysOf(workspaceId, 'DRAFT'),
  partitions: (workspaceId) => [drafts.key({ workspaceId, id: '' }).PK],
}
