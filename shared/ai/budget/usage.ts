import * as z from 'zod/mini'
import { entity } from '../../db/entity.ts'

/** The billed units: the tokens of texts, or the minutes of speech. */
export const aiKinds = ['text', 'speech'] as const
export type AiKind = (typeof aiKinds)[number]

const Count = z._default(z.int(), 0)

/**
 * What AI has cost a workspace in a month (UTC), in millionths of a US dollar. `committed` is the sum of charges and of
 * reservations by running calls, here and in child workspaces: no reservation takes it above the budget.
 */
export const AiUsage = z.object({
  workspaceId: z.string(),
  month: z.string(),
  committed: Count,
  text: Count,
  speech: Count,
  /** What child workspaces were charged. */
  children: Count,
  textCalls: Count,
  speechCalls: Count,
  inputTokens: Count,
  outputTokens: Count,
  speechSeconds: Count,
})
export type AiUsage = z.infer<typeof AiUsage>

/** The partition of the usage and the jobs of a workspace. */
export const aiRowsOf = (workspaceId: string): string => `WS#${workspaceId}#AI`

export const aiUsages = entity({
  type: 'AiUsage',
  shape: AiUsage,
  key: ({ workspaceId, month }: Pick<AiUsage, 'workspaceId' | 'month'>) => ({
    PK: aiRowsOf(workspaceId),
    SK: `USAGE#${month}`,
  }),
})

export const monthOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 7)

/** When a month ends and its budget resets. */
export const endOfMonth = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number)).toISOString()
}
