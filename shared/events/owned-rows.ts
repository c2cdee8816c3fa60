import type { OwnedRows } from '../db/owned-rows.ts'
import { outbox } from './outbox.ts'
import { pointers } from './pointer.ts'

export const eventRows: OwnedRows = {
  partitions: (workspaceId) => [outbox.key({ workspaceId, id: '' }).PK, pointers.key({ workspaceId, eventId: '' }).PK],
}
