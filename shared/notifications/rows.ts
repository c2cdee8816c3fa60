import type { OwnedRows } from '../db/owned-rows.ts'
import { alertsPartition } from './alerts/alert.ts'
import { topicWork } from './alerts/work.ts'
import { pushWork } from './pushes/work.ts'

export const notificationRows: OwnedRows = {
  partitions: (workspaceId) => [alertsPartition(workspaceId)],
}

export const notificationSweepRules = [topicWork.sweepRule, pushWork.sweepRule]
