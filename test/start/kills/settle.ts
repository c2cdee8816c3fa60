import { client } from '../../../functions/client.ts'
import { outbox } from '../../../shared/events/outbox.ts'
import { posts } from '../../../shared/posts/lifecycle/row.ts'
import { expectSound } from '../../journeys/invariants.ts'
import { getSharedSetup } from '../../support/shared-setup.ts'
import { scanTable } from '../../support/world/rows.ts'
import { compareCounts } from './compare/counts.ts'
import { compareEvents } from './compare/events.ts'
import { comparePosts } from './compare/posts.ts'
import { compareThings } from './compare/things.ts'
import { openInProcess } from './in-process.ts'
import type { Journal } from './journal.ts'
import type { Stage } from './stage.ts'

const settleMs = 40 * 60_000

/** The sentence of an assertion that failed. */
const failureOf = async (run: () => Promise<void>): Promise<string[]> =>
  run().then(
    () => [],
    (error: unknown) => [`a law is broken: ${error instanceof Error ? error.message : error}`],
  )

/** Starts on the folder again, lets everything settle, and compares the state with the requests. */
export const settleAndCompare = async (folder: string, stage: Stage, journal: Journal): Promise<string[]> => {
  const service = await openInProcess(folder, await getSharedSetup())
  try {
    await service.pass(settleMs)
    const { baseUrl, context: ctx, platforms, inbox, bus } = service
    const { sessionToken: token, workspaceId, accounts } = stage.demo
    const api = client({ baseUrl, token, workspaceId })
    const rows = await scanTable({ ctx })
    const all = rows.filter(({ type }) => type === 'Post').map(posts.parse)
    const events = rows.filter(({ type }) => type === 'Outbox').flatMap((row) => outbox.parse(row).events)
    const deliveries = inbox.deliveries().filter(({ endpoint }) => endpoint === 'demo')
    const states = Map.groupBy(all, ({ status, reason }) => (reason ? `${status} (${reason})` : status))
    console.log([...states].map(([state, group]) => `${group.length} ${state}`).join(', '))
    console.log(
      `${all.filter(({ crashedAttempts }) => crashedAttempts > 0).length} posts were killed in the middle of their publication`,
    )
    console.log(`${events.length} events, ${deliveries.length} deliveries, ${platforms.published().length} live`)
    return [
      ...journal.complaints,
      ...comparePosts(journal, all, platforms.published()),
      ...(await compareEvents(events, { deliveries, bus: bus.events(), api })),
      ...(await compareThings(api, stage, journal)),
      ...(await compareCounts(api, workspaceId, journal, rows)),
      ...(await failureOf(() => expectSound({ ctx, api, workspaceId, accounts, platforms }))),
    ]
  } finally {
    await service.close()
  }
}
