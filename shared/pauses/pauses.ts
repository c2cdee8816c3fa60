import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { table } from '../db/connection.ts'
import { entity } from '../db/entity.ts'
import { absent, equal } from '../db/expression.ts'
import { type Retries, retryOnConflict } from '../db/retry-on-conflict.ts'
import { type BatchRows, get, updateOnly } from '../db/table.ts'
import { pausesKey } from './intake.ts'

/**
 * What a pause stops: everything, the posts of a platform, or the posts and webhooks of a workspace. With `intake`, changes
 * are refused as well.
 */
const Scope = z.union([
  z.object({ kind: z.literal('deployment'), intake: z.optional(z.literal(true)) }),
  z.object({ kind: z.literal('platform'), id: z.string() }),
  z.object({ kind: z.literal('workspace'), id: z.string() }),
])
export type PauseScope = z.infer<typeof Scope>

/** `scope` may be one that only a newer release knows. It is stored unchanged, and pauses the deployment. */
const Pause = z.looseObject({
  scope: z.union([Scope, z.looseObject({ kind: z.string() })]),
  sinceMs: z.number(),
  reason: z.optional(z.string()),
})
export type Pause = z.infer<typeof Pause>

/**
 * The pauses of an operator, in one row that every worker reads together with its work row. Decided: the row names its
 * table. DynamoDB restores to a table with another name, so rows that were restored name the earlier one, and are paused
 * until `after-restore` has looked at them: the order in which functions, pauses, and that command come does not matter.
 */
const Pauses = z.object({
  version: z.int(),
  pauses: z.array(Pause),
  /** Absent in a table of an earlier release, until its first sweep. */
  table: z.optional(z.string()),
})
type Pauses = z.infer<typeof Pauses>

const rows = entity({ type: 'Pauses', shape: Pauses, key: () => pausesKey })

/** For the reads of workers: `pausesIn` finds the row in their reads. */
export { pausesKey }

/** How many there can be: the row is read with every post, and stays below 4 KB, which is one read unit. */
const maxPauses = 20
const maxReason = 100

/** Whether changes are refused as well. */
export const refusesChanges = (scope: Pause['scope']): boolean => 'intake' in scope && scope.intake === true

const isSame = (scope: Pause['scope'], other: PauseScope): boolean =>
  scope.kind === other.kind && ('id' in scope ? scope.id : undefined) === ('id' in other ? other.id : undefined)

/** The same, and it refuses the same. */
const isEqual = (scope: Pause['scope'], other: PauseScope): boolean =>
  isSame(scope, other) && refusesChanges(scope) === refusesChanges(other)

/** Whether a pause comes from a newer release: this release cannot tell what it stops. */
const isUnknown = ({ scope }: Pause): boolean => !z.safeParse(Scope, scope).success

/** Whether something about a workspace, and about a platform if one is given, is paused. */
export type IsPaused = (about: { workspaceId?: string | undefined; platform?: string | undefined }) => boolean

const isRestored = (ctx: Context, row: Pick<Pauses, 'table'> | undefined): boolean =>
  row?.table !== undefined && row.table !== table(ctx)

const isPausedBy =
  (ctx: Context, row: Pauses | undefined): IsPaused =>
  ({ workspaceId, platform }) =>
    isRestored(ctx, row) ||
    (row?.pauses ?? []).some((pause) => {
      const { data: scope } = z.safeParse(Scope, pause.scope)
      if (scope === undefined || scope.kind === 'deployment') return true
      return scope.id === (scope.kind === 'platform' ? platform : workspaceId)
    })

/** The pauses in a read of `pausesKey`. */
export const pausesIn = (ctx: Context, read: BatchRows): IsPaused => isPausedBy(ctx, rows.from(read, undefined))

const readRow = async (ctx: Context): Promise<Pauses> => {
  const item = await get(ctx, pausesKey)
  return item === undefined ? { version: 0, pauses: [] } : rows.parse(item)
}

/** What is paused, for work that has no row to read. */
export const readPauses = async (ctx: Context) => {
  const row = await readRow(ctx)
  return {
    pauses: row.pauses,
    isPaused: isPausedBy(ctx, row),
    /** Everything waits for `after-restore`. */
    isRestored: isRestored(ctx, row),
    isNamed: row.table !== undefined,
    /** Everything waits for the newer release that made a pause. */
    isUnknown: row.pauses.some(isUnknown),
  }
}

const retries: Retries = { tries: 5, refusal: () => new Error('other operators change the pauses at this moment') }

const change = (ctx: Context, next: (row: Pauses) => Partial<Pauses>): Promise<readonly Pause[]> =>
  retryOnConflict(retries, async () => {
    const before = await readRow(ctx)
    const after = { table: table(ctx), ...before, ...next(before), version: before.version + 1 }
    const when = before.version === 0 ? absent('PK') : equal('version', before.version)
    // Attributes that a newer release has added to the row stay.
    await updateOnly(ctx, pausesKey, { set: { type: rows.type, ...after } }, when)
    return after.pauses
  })

/** Names the table of an earlier release in its row. An existing name stays: it may be that of an earlier table. */
export const nameTable = async (ctx: Context): Promise<void> => {
  await change(ctx, () => ({}))
}

/** Pauses a table that was restored under its own name, until `after-restore` has looked at its rows. */
export const markRestored = async (ctx: Context): Promise<void> => {
  await change(ctx, () => ({ table: `${table(ctx)}, restored` }))
}

/** Ends the pause of a restored table. */
export const acceptRestored = async (ctx: Context): Promise<void> => {
  await change(ctx, () => ({ table: table(ctx) }))
}

/**
 * Pauses: from now on, no worker starts to send what the scope names. A call in flight completes (30 s at most). Throws a
 * TypeError if there are too many pauses.
 */
export const pause = (ctx: Context, scope: PauseScope, reason?: string): Promise<readonly Pause[]> =>
  change(ctx, ({ pauses }) => {
    const others = pauses.filter((pause) => !isSame(pause.scope, scope))
    if (others.length >= maxPauses)
      throw new TypeError(`There are ${maxPauses} pauses. Resume one, or pause the deployment.`)
    const since = pauses.find((pause) => isEqual(pause.scope, scope))?.sinceMs ?? ctx.clock.now()
    const added = { scope, sinceMs: since, ...(reason ? { reason: reason.slice(0, maxReason) } : {}) }
    return { pauses: [...others, added] }
  })

/**
 * Ends a pause: within two minutes the sweeper sends what is due. With the pause of the deployment, those of a newer
 * release end.
 */
export const resume = (ctx: Context, scope: PauseScope): Promise<readonly Pause[]> =>
  change(ctx, ({ pauses }) => ({
    pauses: pauses.filter((pause) => !isSame(pause.scope, scope) && !(scope.kind === 'deployment' && isUnknown(pause))),
  }))
