import * as z from 'zod/mini'
import { absent, anyOf, atMost, type Condition } from '../db/expression.ts'
import type { BatchRows, Item, Key, Write } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { Post } from './lifecycle/row.ts'

/** Decided: the monthly cap (UTC) of posts to X in a workspace, unless its plan sets another one. */
export const defaultCap = 500

const retentionSeconds = 800 * 86_400

/** The month in which a post counts: that of its time, in UTC. */
export const monthOf = (momentMs: number): string => new Date(momentMs).toISOString().slice(0, 7)

export const capKey = (workspaceId: string, month: string): Key => ({ PK: `WS#${workspaceId}`, SK: `XCAP#${month}` })

export const capOf = ({ xMonthlyCap = defaultCap }: Workspace): number => xMonthlyCap

export const usedOf = (row: Item | undefined): number => Number(row?.['used'] ?? 0)

const endOf = (month: string) => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return Date.UTC(year, number)
}

/** The refusal as in the specification (section Errors). */
export const capExceeded = (): Refusal =>
  new Refusal('limited', 'X monthly posting cap reached', {
    code: 'x_cap_exceeded',
    message: 'Wait for the next month (UTC), cancel scheduled posts to X, or ask for a larger plan.',
  })

/** The name of the write that takes places in the cap: if its condition fails, the cap is reached. */
export const capWrite = 'x-cap'

/** The write that takes places in a month's cap if they are free; no write for a count of zero. */
export const takeCap = (workspace: Workspace, month: string, count: number): Write[] => {
  if (count === 0) return []
  const left = capOf(workspace) - count
  if (left < 0) throw capExceeded()
  const free: Condition = anyOf(absent('used'), atMost('used', left))
  const ttl = Math.ceil(endOf(month) / 1000) + retentionSeconds
  const change = { add: { used: count }, set: { type: 'XCap', workspaceId: workspace.id, month, ttl } }
  return [{ as: capWrite, update: capKey(workspace.id, month), change, when: free }]
}

/** How many posts to X these are in the cap: a first comment is a post of its own there. */
export const countOnX = (planned: readonly { firstComment?: unknown }[]): number =>
  planned.reduce((sum, { firstComment }) => sum + (firstComment === undefined ? 1 : 2), 0)

/** The places of posts, by the month in which they count. */
const countByMonth = (counted: readonly Pick<Post, 'capMonth' | 'firstComment'>[]): Map<string, number> => {
  const months = new Map<string, number>()
  for (const post of counted) {
    const { capMonth } = post
    if (capMonth !== undefined) months.set(capMonth, (months.get(capMonth) ?? 0) + countOnX([post]))
  }
  return months
}

const releaseWrite = (workspaceId: string, month: string, count: number): Write => ({
  update: capKey(workspaceId, month),
  change: { add: { used: -count } },
})

/** The writes that move the places of posts which change: of their time, or by a first comment. */
export const moveCap = (workspace: Workspace, changed: readonly { before: Post; after: Post }[]): Write[] => {
  const before = countByMonth(changed.map((post) => post.before))
  const after = countByMonth(changed.map((post) => post.after))
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((month) => {
    const more = (after.get(month) ?? 0) - (before.get(month) ?? 0)
    if (more > 0) return takeCap(workspace, month, more)
    return more === 0 ? [] : [releaseWrite(workspace.id, month, -more)]
  })
}

/** The writes that release the places of posts. */
export const releaseCap = (
  workspaceId: string,
  released: readonly Pick<Post, 'capMonth' | 'firstComment'>[],
): Write[] => [...countByMonth(released)].map(([month, count]) => releaseWrite(workspaceId, month, count))

/** Decided: the response of the usage operation. */
export const XCapUsage = z
  .object({
    month: described(z.string(), 'The current month in UTC, `2026-12`.'),
    used: described(
      z.int(),
      'Posts to X that are scheduled or published in this month. Each tweet of a thread counts, and so does a first comment.',
    ),
    limit: described(z.int(), 'The cap of the month.'),
    remaining: described(z.int(), 'What is left of the cap.'),
    resetsAt: timestamp('When the next month begins, in UTC.'),
  })
  .register(z.globalRegistry, {
    id: 'XCapUsage',
    description: 'How much of the monthly cap on X a workspace has used.',
  })

/** How much of this month's cap is used: scheduled and published posts to X, each tweet of a thread separately. */
export const capUsage = (workspace: Workspace, rows: BatchRows, nowMs: number): z.infer<typeof XCapUsage> => {
  const month = monthOf(nowMs)
  const limit = capOf(workspace)
  const used = usedOf(rows.item(capKey(workspace.id, month)))
  const resetsAt = new Date(endOf(month)).toISOString()
  return { month, used, limit, remaining: Math.max(0, limit - used), resetsAt }
}
