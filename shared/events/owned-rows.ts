import type { OwnedRows } from '../db/owned-rows.ts'
import { outbox } from './outbox.ts'

export const eventRows: OwnedRows = {
  partitions: (workspaceId) => [outbox.key({ workspaceId, id: '' }).PK],
}
