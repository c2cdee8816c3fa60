import type { OwnedRows } from '../db/owned-rows.ts'
import { auditEntries } from './entry.ts'

export const auditRows: OwnedRows = {
  partitions: (workspaceId) => [auditEntries.key({ workspaceId, id: '' }).PK],
}
