import { join } from 'node:path'
import { client } from '../../functions/client.ts'
import type { Spent } from '../../infra/local/engines/table/throttling.ts'
import { startService } from '../../infra/local/service.ts'
import { jsonLog } from '../../shared/context.ts'
import { minuteMs } from '../../shared/time.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { virtualClock } from '../support/clock.ts'
import { makeSeed } from '../support/seed.ts'
import { type Consumption, recordConsumption } from './recorder.ts'

const plenty = { calls: 100_000, perSeconds: 60 }

/**
 * Schedules a text post to one account in a workspace with one webhook endpoint, lets it be published, and returns what
 * the table consumed from the request to the second delivered webhook, by function, operation, and type of rows. `tap`
 * sees each partition that was charged.
 */
export const consumedByTextPost = async (text: string, tap?: Spent): Promise<readonly Consumption[]> => {
  const recorder = recordConsumption()
  const clock = virtualClock(Date.UTC(2030, 0, 1, 12))
  const folder = await synthesizeOnce()
  let measuring = false
  const spent: Spent = (kind, charge) => {
    recorder.spent(kind, charge)
    if (measuring) tap?.(kind, charge)
  }
  const service = await startService({
    clock,
    polling: 'manual',
    load: 'source',
    embedded: { spent },
    assembly: join(folder, 'assembly'),
    files: join(folder, 'files'),
    log: jsonLog(() => {}),
    observe: recorder.observe,
    rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
  })
  try {
    const { workspaceId, pat, sessionToken, accounts } = await makeSeed(service.context)
    const to = { baseUrl: service.baseUrl, workspaceId }
    const url = `${service.inboxUrl}/hooks/all`
    const body = { name: 'all', url, events: ['post.scheduled' as const, 'post.published' as const] }
    await client({ ...to, token: sessionToken }).webhooks.create({ body })
    const api = client({ ...to, token: pat })
    const post = async (content: string) => {
      const scheduledAt = new Date(clock.now() + 30 * minuteMs).toISOString()
      await api.posts.schedule({ body: { socialAccountIds: [accounts.bluesky], content, scheduledAt } })
      await service.pass(31 * minuteMs)
    }
    // One-time writes, such as the last use of the token, are not part of the cost of a post.
    await post('The first post')
    measuring = true
    const rows = await recorder.during(() => post(text))
    const delivered = service.inbox.deliveries().length
    if (delivered !== 4) throw new Error(`two posts were delivered in ${delivered} webhooks instead of 4`)
    return rows
  } finally {
    await service.close()
  }
}

/** The sum of one kind of units. */
export const sumOf = (rows: readonly Consumption[], kind: 'writeUnits' | 'readUnits'): number =>
  rows.reduce((sum, row) => sum + row[kind], 0)
