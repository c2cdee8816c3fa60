import * as z from 'zod/mini'
import type { Context } from '../../../shared/context.ts'
import { wasCurrent } from '../../../shared/db/condition-failed.ts'
import { entity } from '../../../shared/db/entity.ts'
import { type Item, keyOf, put, scan, updateOnly } from '../../../shared/db/table.ts'
import { Stop } from '../../local/stop.ts'
import { type Migration, migrations } from './migrations.ts'

/** The progress of a migration. It is stored after each page, so that an interrupted command continues. */
const Progress = z.object({
  name: z.string(),
  read: z.int(),
  changed: z.int(),
  /** The key of the last row that was looked at. */
  after: z.optional(z.object({ PK: z.string(), SK: z.string() })),
  doneAtMs: z.optional(z.number()),
})
type Progress = z.infer<typeof Progress>

const progressRows = entity({
  type: 'Migration',
  shape: Progress,
  key: ({ name }: Pick<Progress, 'name'>) => ({ PK: 'MIGRATION', SK: name }),
})

const rowsPerPage = 250
const defaultRate = 1_000
/** Rows that are changed at the same time. */
const atOnce = 10

const changeRows = async (ctx: Context, { changeOf }: Migration, items: readonly Item[]): Promise<number> => {
  const changes = items.flatMap((item) => {
    const change = changeOf(item)
    return change === undefined ? [] : [{ key: keyOf(item), ...change }]
  })
  let changed = 0
  for (let from = 0; from < changes.length; from += atOnce) {
    const written = await Promise.all(
      // A row that someone has changed in the meantime was written by this release.
      changes.slice(from, from + atOnce).map(({ key, change, when }) => wasCurrent(updateOnly(ctx, key, change, when))),
    )
    changed += written.filter(Boolean).length
  }
  return changed
}

/** Runs one migration to its end, at a limited number of rows a second. */
const runMigration = async (ctx: Context, migration: Migration, rate: number): Promise<Progress> => {
  const { name } = migration
  let progress: Progress = (await progressRows.get(ctx, { name })) ?? { name, read: 0, changed: 0 }
  while (progress.doneAtMs === undefined) {
    const startedMs = ctx.clock.now()
    const { items, next } = await scan(ctx, { limit: rowsPerPage, after: progress.after })
    const changed = progress.changed + (await changeRows(ctx, migration, items))
    const read = progress.read + items.length
    progress = { name, read, changed, ...(next ? { after: keyOf(next) } : { doneAtMs: ctx.clock.now() }) }
    await put(ctx, progressRows.item(progress))
    const waitMs = startedMs + (items.length * 1000) / rate - ctx.clock.now()
    if (next && waitMs > 0) await ctx.clock.sleep(waitMs)
  }
  return progress
}

/** Runs every migration that this table has not seen; `rate` is the most rows a second, as text. */
export const migrate = async (ctx: Context, rate = String(defaultRate)): Promise<string> => {
  const perSecond = Number(rate)
  if (!Number.isInteger(perSecond) || perSecond < 1 || perSecond > 100_000)
    throw new Stop('--rate takes the rows to read in a second: a whole number from 1 to 100000.')
  const lines: string[] = []
  for (const migration of migrations) {
    const { name, read, changed } = await runMigration(ctx, migration, perSecond)
    lines.push(`${name}: ${read} rows read, ${changed} changed.`)
  }
  return lines.join('\n')
}
