import * as z from 'zod/mini'
import { type Context, perContext } from '../context.ts'
import { platformIds } from '../resources.ts'
import { dayMs } from '../time.ts'
import type { PlatformApi, PlatformDefinition } from './definition.ts'
import { PlatformError } from './platform-error.ts'

/** A platform, as far as needed for the end of its API. */
export type WithApi = Pick<PlatformDefinition, 'id' | 'name' | 'api'>

/** The operator's overrides: a day (YYYY-MM-DD), or null for no end, by platform. */
export const PlatformApiEnds = z.partialRecord(z.enum(platformIds), z.nullable(z.iso.date()))
export type PlatformApiEnds = z.infer<typeof PlatformApiEnds>

const corrections = perContext((ctx): PlatformApiEnds => JSON.parse(ctx.env('PLATFORM_API_ENDS')))

/** The first day on which the platform may stop serving the API, from the operator or the definition; null if none is known. */
export const apiEndsOn = (ctx: Context, { id, api }: Pick<WithApi, 'id' | 'api'>): string | null => {
  if (api.endsOn === null) return null
  const corrected = corrections(ctx)[id]
  return corrected === undefined ? api.endsOn : corrected
}

/** The API of a platform, with its end as the operator has it. */
export const currentApi = (ctx: Context, platform: Pick<WithApi, 'id' | 'api'>): PlatformApi => {
  const { closing, ...api } = platform.api
  const endsOn = apiEndsOn(ctx, platform)
  return { ...api, endsOn, ...(endsOn === null || closing === undefined ? {} : { closing }) }
}

/** Whether the API has ended at a time, in ms; false if no end is known. */
export const endsBy = (ctx: Context, platform: WithApi, momentMs: number): boolean => {
  const endsOn = apiEndsOn(ctx, platform)
  return endsOn !== null && momentMs >= Date.parse(endsOn)
}

/** Whether the platform has closed its API. If only a version has ended, the platform itself rejects calls. */
export const isClosed = (ctx: Context, platform: WithApi): boolean =>
  platform.api.closing !== undefined && endsBy(ctx, platform, ctx.clock.now())

/** The sentence about an API that is closed. */
export const closedSentence = ({ name }: Pick<WithApi, 'name'>): string =>
  `${name} has closed its API, so this service can no longer publish there.`

/** Throws the error of every call to a platform that has closed its API. */
export const assertOpen = (ctx: Context, platform: WithApi): void => {
  if (isClosed(ctx, platform)) throw new PlatformError('blocked', closedSentence(platform), { apiEnded: true })
}

/** What people who connect an account, or have one, should know: that the platform closes its API, or has closed it. */
export const closingNotice = (ctx: Context, platform: WithApi): string | undefined => {
  if (apiEndsOn(ctx, platform) === null) return undefined
  return isClosed(ctx, platform) ? closedSentence(platform) : platform.api.closing
}

/** The numbers of days before the end of an API at which the operator is notified, each time once. */
export const noticeDays = [90, 30, 7] as const

/** The days until the end of an API, rounded up; below 1 when it has ended. */
export const daysUntil = (endsOn: string, nowMs: number): number => Math.ceil((Date.parse(endsOn) - nowMs) / dayMs)

/** The notices about an end that are due; none about a closed API, for which nothing remains to be done. */
export const noticesDue = (platform: Pick<WithApi, 'api'>, endsOn: string, nowMs: number): number => {
  const days = daysUntil(endsOn, nowMs)
  if (days < 1 && platform.api.closing !== undefined) return 0
  return noticeDays.filter((notice) => days <= notice).length
}
