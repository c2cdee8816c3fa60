import { aiSweepRules } from '../ai/rows.ts'
import { billingSweepRules } from '../billing/rows.ts'
import type { SweepRule } from '../db/sweep-rule.ts'
import { deletionSweepRules } from '../deletion/rows.ts'
import { eventSweepRules } from '../events/rows.ts'
import { exportSweepRules } from '../export/rows.ts'
import { identitySweepRules } from '../identity/rows.ts'
import { mediaSweepRules } from '../media/rows.ts'
import { memorySweepRules } from '../memory/rows.ts'
import { notificationSweepRules } from '../notifications/rows.ts'
import { postSweepRules } from '../posts/rows.ts'
import { socialAccountSweepRules } from '../social-accounts/rows.ts'
import { webhookSweepRules } from '../webhooks/rows.ts'
import { workspaceSweepRules } from '../workspaces/rows.ts'

/** Every type of row that can have unfinished work, and the message that resumes it. */
export const sweepRules: readonly SweepRule[] = [
  ...postSweepRules,
  ...eventSweepRules,
  ...webhookSweepRules,
  ...billingSweepRules,
  ...socialAccountSweepRules,
  ...memorySweepRules,
  ...mediaSweepRules,
  ...aiSweepRules,
  ...identitySweepRules,
  ...notificationSweepRules,
  ...workspaceSweepRules,
  ...exportSweepRules,
  ...deletionSweepRules,
]
