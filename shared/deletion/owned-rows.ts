import { aiRows } from '../ai/owned-rows.ts'
import { auditRows } from '../audit/owned-rows.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { draftRows } from '../drafts/owned-rows.ts'
import { eventRows } from '../events/owned-rows.ts'
import { exportRows } from '../export/owned-rows.ts'
import { mediaRows } from '../media/owned-rows.ts'
import { memoryRows } from '../memory/owned-rows.ts'
import { notificationRows } from '../notifications/owned-rows.ts'
import { postRows } from '../posts/owned-rows.ts'
import { quotaRows } from '../quotas/owned-rows.ts'
import { socialAccountRows } from '../social-accounts/owned-rows.ts'
import { webhookRows } from '../webhooks/owned-rows.ts'
import { workspaceRows } from '../workspaces/owned-rows.ts'

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
