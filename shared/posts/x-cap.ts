import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { absent, allOf, anyOf, atMost, begins, type Condition, equal } from '../db/expression.ts'
import type { OwnedRows } from '../db/owned-rows.ts'
import { type BatchRows, get, type Item, type Key, queryAll, transact, type Write } from '../db/table.ts'
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

export const capOf = ({ xMonthlyCap = defaultCap }: Pick<Workspace, 'xMonthlyCap'>): number => xMonthlyCap

/** Whether a plan has a cap, which child workspaces share; that of the deployment is for each workspace. */
const isCapped = ({ xMonthlyCap }: Pick<Workspace, 'xMonthlyCap'>): boolean => xMonthlyCap !== undefined

/** What a row counts: `used` by the workspace itself, and `total` with its child workspaces. */
const countOf = (row: Item | undefined, count: 'used' | 'total'): number => Number(row?.[count] ?? 0)

/** How much of its cap a workspace has used: where its plan has a cap, its child workspaces use it as well. */
export const usedOf = ({ xMonthlyCap }: Workspace, row: Item | undefined): number =>
  Math.max(countOf(row, 'used'), xMonthlyCap === undefined ? 0 : countOf(row, 'total'))

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

/** The name of the write that takes slots in the cap: if its condition fails, the cap is reached. */
export const capWrite = 'x-cap'

/**
 * The writes that take slots in a month's cap if they are free; none for a count of zero. A child workspace has a separate
 * cap, and also counts in the cap of the plan that pays for it: one sum, which no change of plans or shares exceeds.
 */
export const takeCap = (workspace: Workspace, month: string, count: number): Write[] => {
  if (count === 0) return []
  const left = capOf(workspace) - count
  if (left < 0) throw capExceeded()
  const { id, application } = workspace
  const payer = application === undefined ? workspace : workspace.payer
  const leftInPlan = payer !== undefined && isCapped(payer) ? capOf(payer) - count : undefined
  if (leftInPlan !== undefined && leftInPlan < 0) throw capExceeded()
  const ttl = Math.ceil(endOf(month) / 1000) + retentionSeconds
  const rowOf = (workspaceId: string) => ({ type: 'XCap', workspaceId, month, ttl })
  const free: Condition = anyOf(absent('used'), atMost('used', left))
  const freeInPlan = leftInPlan === undefined ? undefined : anyOf(absent('total'), atMost('total', leftInPlan))
  const write = (workspaceId: string, add: { used?: number; total?: number }, when: Condition | undefined): Write => ({
    as: capWrite,
    update: capKey(workspaceId, month),
    change: { add, set: rowOf(workspaceId) },
    ...(when === undefined ? {} : { when }),
  })
  if (application === undefined) {
    return [write(id, { used: count, total: count }, freeInPlan === undefined ? free : allOf(free, freeInPlan))]
  }
  return [write(id, { used: count }, free), write(application.workspaceId, { total: count }, freeInPlan)]
}

/** How many slots of the cap these posts take: a first comment counts as a separate post. */
export const countOnX = (planned: readonly { firstComment?: unknown }[]): number =>
  planned.reduce((sum, { firstComment }) => sum + (firstComment === undefined ? 1 : 2), 0)

/** The slots of posts, by the month in which they count. */
const countByMonth = (counted: readonly Pick<Post, 'capMonth' | 'firstComment'>[]): Map<string, number> => {
  const months = new Map<string, number>()
  for (const post of counted) {
    const { capMonth } = post
    if (capMonth !== undefined) months.set(capMonth, (months.get(capMonth) ?? 0) + countOnX([post]))
  }
  return months
}

type Capped = Pick<Workspace, 'id' | 'application'>

const releaseWrites = ({ id, application }: Capped, month: string, count: number): Write[] => {
  const own = { update: capKey(id, month) }
  if (application === undefined) return [{ ...own, change: { add: { used: -count, total: -count } } }]
  return [{ ...own, change: { add: { used: -count } } }, releaseInPlan(application.workspaceId, month, count)]
}

const releaseInPlan = (payerId: string, month: string, count: number): Write => ({
  update: capKey(payerId, month),
  change: { add: { total: -count } },
})

/**
 * Returns the slots of a deleted child workspace in later months. The posts of this month, published or scheduled, stay
 * counted.
 */
export const refundCap: NonNullable<OwnedRows['refund']> = async (ctx, { workspaceId, payerId }) => {
  const { PK, SK } = capKey(workspaceId, '')
  const rows = await queryAll(ctx, { key: allOf(equal('PK', PK), begins('SK', SK)) })
  for (const row of rows) {
    const month = String(row['month'])
    const used = countOf(row, 'used')
    if (month <= monthOf(ctx.clock.now()) || used === 0) continue
    const removed = { delete: capKey(workspaceId, month), when: equal('used', used) }
    await transact(ctx, () => [removed, releaseInPlan(payerId, month, used)])
  }
}

/** The writes that move the slots of posts whose time or first comment changes. */
export const moveCap = (workspace: Workspace, changed: readonly { before: Post; after: Post }[]): Write[] => {
  const before = countByMonth(changed.map((post) => post.before))
  const after = countByMonth(changed.map((post) => post.after))
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((month) => {
    const more = (after.get(month) ?? 0) - (before.get(month) ?? 0)
    if (more > 0) return takeCap(workspace, month, more)
    return more === 0 ? [] : releaseWrites(workspace, month, -more)
  })
}

/** The writes that release the slots of posts. */
export const releaseCap = (workspace: Capped, released: readonly Pick<Post, 'capMonth' | 'firstComment'>[]): Write[] =>
  [...countByMonth(released)].flatMap(([month, count]) => releaseWrites(workspace, month, count))

/** Decided: the response of the usage operation. */
export const XCapUsage = z
  .object({
    month: described(z.string(), 'The current month in UTC, `2026-12`.'),
    used: described(
      z.int(),
      'Posts to X that are scheduled or published in this month. Each tweet of a thread counts, and each first comment. If the plan has a cap, child workspaces count, too.',
    ),
    limit: described(z.int(), 'The cap of the month.'),
    remaining: described(
      z.int(),
      'What is left of the cap. A child workspace has no more than what is left of the plan of its application.',
    ),
    resetsAt: timestamp('When the next month begins, in UTC.'),
  })
  .register(z.globalRegistry, {
    id: 'XCapUsage',
    description: 'How much of the monthly cap on X a workspace has used.',
  })

/** How much of this month's cap is used: scheduled and published posts to X, each tweet of a thread separately. */
export const capUsage = async (
  ctx: Context,
  workspace: Workspace,
  rows: BatchRows,
): Promise<z.infer<typeof XCapUsage>> => {
  const month = monthOf(ctx.clock.now())
  const { payer } = workspace
  const limit = capOf(workspace)
  const used = usedOf(workspace, rows.item(capKey(workspace.id, month)))
  const leftOf = async (plan: Workspace) => capOf(plan) - usedOf(plan, await get(ctx, capKey(plan.id, month)))
  const left = payer !== undefined && isCapped(payer) ? [await leftOf(payer)] : []
  const resetsAt = new Date(endOf(month)).toISOString()
  return { month, used, limit, remaining: Math.max(0, Math.min(limit - used, ...left)), resetsAt }
}
