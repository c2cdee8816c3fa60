import { start } from '../support/start.ts'
import { eventsOf, listen, type PlatformName, scheduleOn } from './author.ts'
import { dyingAtCreate, makeTrouble } from './trouble.ts'

export const minute = 60_000
export const hour = 60 * minute
export const platforms = ['bluesky', 'discord'] as const

/** A message in the channel: in an empty one a probe finds nothing out. */
export const beginInDoubt = async () => {
  const seam = makeTrouble()
  const kit = await start({ observe: seam.observe })
  await listen(kit)
  await scheduleOn(kit, 'discord', 'hello', 1000)
  await kit.service.pass(2000)
  const createsSince = kit.platforms.calls().length
  return {
    kit,
    seam,
    /** How many calls that make a post public have reached the platforms. */
    creates: () =>
      kit.platforms
        .calls()
        .slice(createsSince)
        .filter(({ operation }) => operation === 'create').length,
    shown: async (id: string) => {
      const { status, error, publishedPostUrl } = await kit.api.posts.get({ params: { id } })
      const { type, data } = eventsOf(kit, id).at(-1) ?? { type: undefined, data: undefined }
      return { status, error, publishedPostUrl, type, reason: data?.['reason'], retrySafe: data?.['retrySafe'] }
    },
  }
}
type Begun = Awaited<ReturnType<typeof beginInDoubt>>

/** The platform answers nothing but errors. */
export const breakDown = ({ kit }: Begun, platform: PlatformName) =>
  kit.platforms.faults.add({ platform, times: 1_000_000, fault: 'html_503' })

/** A post whose only attempt crashed, on a platform that was then unreachable for six hours. */
export const makeUnknown = async (begun: Begun, platform: PlatformName, side: 'before' | 'after') => {
  const { kit, seam } = begun
  seam.begin(dyingAtCreate(side))
  const { id } = await scheduleOn(kit, platform, 'old words', 2 * minute)
  await kit.service.pass(2.1 * minute)
  breakDown(begun, platform)
  await kit.service.pass(10 * minute)
  kit.clock.pass(6.1 * hour)
  await kit.service.pass(5 * minute)
  kit.platforms.faults.clear()
  return { id, url: kit.platforms.published().find(({ text }) => text === 'old words')?.url ?? null }
}

/** What is reported of it. */
export const unknown = {
  status: 'failed',
  error: 'Outcome unknown: check the account before posting again.',
  type: 'post.publish_failed',
  reason: 'outcome_unknown',
  retrySafe: false,
}
