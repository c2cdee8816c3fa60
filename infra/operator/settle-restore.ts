import type { Context } from '../../shared/context.ts'
import { presumeDueSent } from '../../shared/posts/after-restore.ts'
import { Stop } from '../local/stop.ts'

/** What follows a restore of the table to a time, an ISO 8601 date with its zone. */
export const settleRestore = async (ctx: Context, restoredTo: string | undefined): Promise<string> => {
  const restoredToMs = Date.parse(restoredTo ?? '')
  const hasZone = /(?:Z|[+-]\d\d:\d\d)$/.test(restoredTo ?? '')
  if (!hasZone || Number.isNaN(restoredToMs) || restoredToMs > ctx.clock.now())
    throw new Stop('--to takes the time that the table was restored to, such as 2026-11-26T08:00:00Z.')
  const counts = [...(await presumeDueSent(ctx, restoredToMs))]
  if (counts.length === 0) return 'No post was due since then. Resume the deployment when it runs on this table.'
  const list = counts.map(([platform, count]) => `${platform} ${count}`).join(', ')
  return `These posts may have been published since then, and are looked up at their platforms before they are sent: ${list}. Resume the deployment when it runs on this table.`
}
