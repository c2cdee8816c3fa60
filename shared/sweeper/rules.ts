import { aiSweepRules } from '../ai/sweep-rules.ts'
import { billingSweepRules } from '../billing/sweep-rules.ts'
import type { SweepRule } from '../db/sweep-rule.ts'
import { deletionSweepRules } from '../deletion/sweep-rules.ts'
import { eventSweepRules } from '../events/sweep-rules.ts'
import { exportSweepRules } from '../export/sweep-rules.ts'
import { identitySweepRules } from '../identity/sweep-rules.ts'
import { mediaSweepRules } from '../media/sweep-rules.ts'
import { memorySweepRules } from '../memory/sweep-rules.ts'
import { notificationSweepRules } from '../notifications/sweep-rules.ts'
import { postSweepRules } from '../posts/dispatch/sweep-rules.ts'
import { socialAccountSweepRules } from '../social-accounts/sweep-rules.ts'
import { webhookSweepRules } from '../webhooks/sweep-rules.ts'
import { workspaceSweepRules } from '../workspaces/sweep-rules.ts'

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
