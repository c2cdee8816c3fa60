import { join } from 'node:path'
import { client } from '../../functions/client.ts'
import type { Measured } from '../../infra/deploy/cost/usage.ts'
import { startService } from '../../infra/local/service.ts'
import { jsonLog } from '../../shared/context.ts'
import { sweep } from '../../shared/sweeper/sweep.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Consumption, recordConsumption } from '../capacity/recorder.ts'
import { sumOf } from '../capacity/text-post.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { virtualClock } from '../support/clock.ts'
import { makeSeed } from '../support/seed.ts'
import { watchInvocations } from './watch-invocations.ts'

const plenty = { calls: 100_000, perSeconds: 60 }

/** A text of 100 characters. */
const text = 'A walk in the park, and another one along the river, where the boats are, before the sun goes down..'

/** The publisher's batch: more concurrent posts cause more concurrent invocations, which run one after the other here. */
const batch = 10

const ofSweeper = ({ functionName }: Pick<Consumption, 'functionName'>) => functionName === 'sweep'

/** What was measured of posts, and what an idle run of the sweeper reads. */
export interface Measurement {
  /** Posts that are due a minute apart: each comes to its workers by itself. */
  single: Measured
  /** Posts of one platform of which ten are due each minute, so that workers get them in batches. */
  together: Measured
  readUnitsPerSweep: number
}

/**
 * Publishes text posts of one account with one webhook endpoint on the local service, and measures what they cause, from
 * the request to the second webhook: first by themselves, then at the same time.
 */
export const measure = async (posts: { single: number; together: number }): Promise<Measurement> => {
  const units = recordConsumption()
  const clock = virtualClock(Date.UTC(2030, 0, 1, 12))
  const invocations = watchInvocations(clock)
  const folder = await synthesizeOnce()
  let logBytes = 0
  const service = await startService({
    clock,
    polling: 'manual',
    load: 'source',
    eventBus: 'off',
    embedded: { spent: units.spent },
    assembly: join(folder, 'assembly'),
    files: join(folder, 'files'),
    log: jsonLog((line) => {
      logBytes += Buffer.byteLength(line)
    }),
    observe: (effect, run) => units.observe(effect, () => invocations.observe(effect, run)),
    rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
  })
  try {
    const { workspaceId, pat, sessionToken, accounts } = await makeSeed(service.context)
    const to = { baseUrl: service.baseUrl, workspaceId }
    const body = {
      name: 'all',
      url: `${service.inboxUrl}/hooks/all`,
      events: ['post.scheduled', 'post.published'] as const,
    }
    await client({ ...to, token: sessionToken }).webhooks.create({ body: { ...body, events: [...body.events] } })
    const api = client({ ...to, token: pat })
    let posted = 0
    /** Schedules posts from half an hour on, so many each minute, and lets all of them be published. */
    const publish = async (count: number, perMinute: number) => {
      const firstMs = clock.now() + 30 * minuteMs
      for (let n = 0; n < count; n += 1) {
        posted += 1
        const content = `${posted}. ${text}`.slice(0, text.length)
        const scheduledAt = new Date(firstMs + Math.floor(n / perMinute) * minuteMs).toISOString()
        await api.posts.schedule({ body: { socialAccountIds: [accounts.bluesky], content, scheduledAt } })
        if ((n + 1) % perMinute === 0) await service.drain()
      }
      await service.pass(firstMs + Math.ceil(count / perMinute) * minuteMs + minuteMs - clock.now())
    }
    const measured = async (count: number, run: () => Promise<unknown>): Promise<Measured> => {
      logBytes = 0
      const eventsBefore = service.bus.events().length
      let consumed: readonly Consumption[] = []
      const seen = await invocations.during(async () => {
        consumed = await units.during(run)
      })
      // The sweeper always runs, and is part of the cost of an idle stage.
      const own = consumed.filter((row) => !ofSweeper(row))
      return {
        posts: count,
        requests: count,
        invocations: seen.filter((invocation) => !ofSweeper(invocation)),
        writeUnits: sumOf(own, 'writeUnits'),
        readUnits: sumOf(own, 'readUnits'),
        busEvents: service.bus.events().length - eventsBefore,
        logBytes,
      }
    }
    // One-time effects, such as the first use of the token and of a data key, are not part of the cost of a post.
    await publish(3, 1)
    const single = await measured(posts.single, () => publish(posts.single, 1))
    const count = Math.ceil(posts.together / batch) * batch
    const together = await measured(count, () => publish(count, batch))
    const idleRun = await units.during(() => sweep(service.contextOf('sweep')))
    return { single, together, readUnitsPerSweep: sumOf(idleRun.filter(ofSweeper), 'readUnits') }
  } finally {
    invocations.close()
    await service.close()
  }
}
