import { aiRows } from '../ai/rows.ts'
import { auditRows } from '../audit/rows.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { draftRows } from '../drafts/rows.ts'
import { eventRows } from '../events/rows.ts'
import { exportRows } from '../export/rows.ts'
import { mediaRows } from '../media/rows.ts'
import { memoryRows } from '../memory/rows.ts'
import { notificationRows } from '../notifications/rows.ts'
import { postRows } from '../posts/rows.ts'
import { quotaRows } from '../quotas/rows.ts'
import { socialAccountRows } from '../social-accounts/rows.ts'
import { webhookRows } from '../webhooks/rows.ts'
import { workspaceRows } from '../workspaces/rows.ts'

/**
 * Everything that a workspace owns in the table. The workspace's own partition, which leads to the others, is the last.
 */
export const ownedRows: readonly OwnedRows[] = [
  quotaRows,
  postRows,
  exportRows,
  eventRows,
  auditRows,
  webhookRows,
  draftRows,
  mediaRows,
  memoryRows,
  notificationRows,
  aiRows,
  socialAccountRows,
  workspaceRows,
]
