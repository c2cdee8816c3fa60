import type { OwnedRows } from '../db/owned-rows.ts'
import { alertsPartition } from './alerts/alert.ts'

export const notificationRows: OwnedRows = {
  partitions: (workspaceId) => [alertsPartition(workspaceId)],
}
