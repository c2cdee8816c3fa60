import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import type { BatchRows, Key } from '../../db/table.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { aiBudgetMicroUsd } from '../../workspaces/ai-budget.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { aiUsages, endOfMonth, monthOf } from './usage.ts'

const money = (description: string) => described(z.int(), description)

const charged = {
  calls: described(z.int(), 'Calls and jobs that were charged.'),
  microUsd: money('What they cost, in millionths of a US dollar.'),
}

/** What AI has cost a workspace in the current month. */
export const AiUsageView = z
  .object({
    month: described(z.string(), 'The month in UTC.'),
    usedMicroUsd: money('What was charged, with child workspaces, in millionths of a US dollar.'),
    childWorkspacesMicroUsd: money('The part of it that child workspaces of the application were charged.'),
    reservedMicroUsd: money('What running calls and jobs can still cost at most.'),
    limitMicroUsd: described(
      z.nullable(z.int()),
      'The budget of the month; null if there is no limit. Child workspaces share the budget of their application.',
    ),
    resetsAt: timestamp('When the next month begins.'),
    byKind: described(
      z.object({
        text: described(
          z.object({
            ...charged,
            inputTokens: described(z.int(), 'Tokens that the model read.'),
            outputTokens: described(z.int(), 'Tokens that the model wrote.'),
          }),
          'Texts that were written or rewritten.',
        ),
        speech: described(
          z.object({ ...charged, seconds: described(z.int(), 'Seconds of speech.') }),
          'Speech that was transcribed.',
        ),
      }),
      'The same by kind of work.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'AiUsage',
    description: 'What AI has cost a workspace in the current month.',
  })

/** The row of the current month, read together with the authorization. */
export const usageKeys = ({ ctx, workspaceId }: { ctx: Context; workspaceId: string }): Key[] => [
  aiUsages.key({ workspaceId, month: monthOf(ctx.clock.now()) }),
]

export const viewUsage = (ctx: Context, workspace: Workspace, rows: BatchRows): z.infer<typeof AiUsageView> => {
  const month = monthOf(ctx.clock.now())
  const row = aiUsages.from(rows, { workspaceId: workspace.id, month })
  const { committed = 0, text = 0, speech = 0, children = 0 } = row ?? {}
  const usedMicroUsd = text + speech + children
  return {
    month,
    usedMicroUsd,
    childWorkspacesMicroUsd: children,
    reservedMicroUsd: Math.max(0, committed - usedMicroUsd),
    limitMicroUsd: aiBudgetMicroUsd(ctx, workspace) ?? null,
    resetsAt: endOfMonth(month),
    byKind: {
      text: {
        calls: row?.textCalls ?? 0,
        microUsd: text,
        inputTokens: row?.inputTokens ?? 0,
        outputTokens: row?.outputTokens ?? 0,
      },
      speech: { calls: row?.speechCalls ?? 0, microUsd: speech, seconds: row?.speechSeconds ?? 0 },
    },
  }
}
