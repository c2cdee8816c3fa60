import * as z from 'zod/mini'
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

/** The attributes of a row in the sweep index that the sweeper itself reads. */
export const SweptRow = z.object({
  PK: z.string(),
  SK: z.string(),
  type: z.string(),
  sweepAtMs: z.number(),
  sweepCount: z.optional(z.number()),
})
export type SweptRow = z.infer<typeof SweptRow>

const keys = ['PK', 'SK', 'sweepShard', 'sweepAtMs']

/**
 * The attributes that the sweep index projects in addition to its keys: those that the sweeper and the rules of all
 * rows read.
 */
export const projectedAttributes: readonly string[] = [
  ...new Set([...Object.keys(SweptRow.shape), ...sweepRules.flatMap(({ attributes }) => attributes)]),
].filter((name) => !keys.includes(name))
