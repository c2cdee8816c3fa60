import { expect } from 'vitest'
import { ApiError } from '../../functions/client.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { minuteMs } from '../../shared/time.ts'
import { Crash } from '../support/crash.ts'
import { type Kit, start } from '../support/start.ts'
import { eventsOf, listen, liveCount, scheduleBoth } from './author.ts'
import { uploadPng } from './upload.ts'

/** At which effect the process dies, counted from the first of the scenario, and on which side of it. */
export interface Point {
  at: number
  side: 'before' | 'after'
}

/** The functions on a post's way; the sweeper and reading only look. */
const partOfTheJob = new Set(['posts-schedule', 'prepare-post', 'publish-post', 'relay-events', 'deliver-webhook'])

/** A service in which one scenario after another runs, each with at most one crash. */
export const makeCrashBench = async () => {
  const effects: string[] = []
  let armed: Point | undefined
  const observe: ObserveFunction = async (effect, run) => {
    if (!partOfTheJob.has(effect.functionName)) return run()
    const index = effects.length
    effects.push(`${effect.functionName} ${effect.service} ${effect.action}`)
    if (armed?.at !== index) return run()
    if (armed.side === 'after') await run()
    throw new Crash(`at effect ${index}`)
  }
  const kit = await start({ observe })
  await listen(kit)
  const asset = await uploadPng(kit)
  return {
    kit,
    /** Schedules to both accounts, lets it go out, and answers the effects it took. */
    run: async (text: string, point?: Point) => {
      effects.length = 0
      armed = point
      await scenario(kit, text, asset.id)
      armed = undefined
      return [...effects]
    },
  }
}

/** As a client must: a request that broke off is sent again with the same key. */
const scheduleUntilAnswered = async (kit: Kit, text: string, assetId: string) => {
  // Far enough ahead for the Scheduler to be asked.
  const attempt = () => scheduleBoth(kit, text, 14.5 * minuteMs, { mediaUrls: [assetId] }, `key of ${text}`)
  return attempt().catch((error: unknown) => {
    if (error instanceof ApiError && error.status >= 500) return attempt()
    throw error
  })
}

const scenario = async (kit: Kit, text: string, assetId: string) => {
  const posts = await scheduleUntilAnswered(kit, text, assetId)
  await kit.service.pass(12 * minuteMs, { tickMinutes: 30 })
  await kit.service.pass(4 * minuteMs)
  // A lease, two settle windows and the sweeper's steps.
  await kit.service.pass(14 * minuteMs, { tickMinutes: 5 })
  for (const { id, platform } of posts) {
    expect(liveCount(kit, text, platform), `${platform} has it once`).toBe(1)
    const { status, publishedPostUrl } = await kit.api.posts.get({ params: { id } })
    expect({ platform, status }).toEqual({ platform, status: 'published' })
    expect(publishedPostUrl).toMatch(/^https:/)
    expect(eventsOf(kit, id).map(({ type }) => type)).toEqual(['post.scheduled', 'post.published'])
  }
}
