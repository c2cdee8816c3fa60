import type { SweepRule } from '../db/sweep-rule.ts'
import { eventSweepRules } from '../events/sweep-rules.ts'
import { identitySweepRules } from '../identity/sweep-rules.ts'
import { mediaSweepRules } from '../media/sweep-rules.ts'
import { memorySweepRules } from '../memory/sweep-rules.ts'
import { postSweepRules } from '../posts/dispatch/sweep-rules.ts'
import { socialAccountSweepRules } from '../social-accounts/sweep-rules.ts'
import { webhookSweepRules } from '../webhooks/sweep-rules.ts'
import { workspaceSweepRules } from '../workspaces/sweep-rules.ts'

/** Every type of row that can have unfinished work, and the message that resumes it. */
export const sweepRules: readonly SweepRule[] = [
  ...postSweepRules,
  ...eventSweepRules,
  ...webhookSweepRules,
  ...socialAccountSweepRules,
  ...memorySweepRules,
  ...mediaSweepRules,
  ...identitySweepRules,
  ...workspaceSweepRules,
]
