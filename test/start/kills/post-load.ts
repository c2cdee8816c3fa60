import type { Client } from '../../../functions/client.ts'
import { type Insisting, insist } from './insist.ts'
import type { Journal, JournaledPost } from './journal.ts'
import type { Random } from './random.ts'
import { metadata, platforms, type Stage } from './stage.ts'

export interface LoadParts {
  api: Client
  stage: Stage
  random: Random
  journal: Journal
  insisting: Insisting
}

type PlatformName = (typeof platforms)[number]

interface Made {
  id: string
  platform: JournaledPost['platform']
}

const secondMs = 1_000

/** Mostly within the lives that follow, sometimes so late that the Scheduler fires it. */
const moment = (random: Random): number => {
  const share = random.int(1, 100)
  if (share <= 40) return Date.now() + random.int(1_500, 4_000)
  if (share <= 65) return Date.now() + random.int(4_000, 12_000)
  if (share <= 85) return Date.now() + random.int(20_000, 90_000)
  return Date.now() + random.int(900_000, 1_500_000)
}

/** What one member does with posts: schedules and publishes, and changes what it has made. */
export const postLoad = ({ api, stage, random, journal, insisting }: LoadParts) => {
  const own: JournaledPost[] = []
  const accountOf = (platform: string) => stage.demo.accounts[platform] ?? ''

  const journalPosts = (made: readonly Made[], marker: string, moments: readonly number[]) => {
    for (const { id, platform } of made) {
      if (journal.posts.has(id)) journal.complaints.push(`two requests made the post ${id}`)
      const post: JournaledPost = {
        id,
        marker,
        platform,
        moments: [...moments],
        cancelled: 'no',
        deleted: 'no',
        mayBeLive: false,
        mayBeSentTwice: false,
      }
      journal.posts.set(id, post)
      own.push(post)
    }
  }

  /** X may be posted to 500 times a month, so that it gets less than its share. */
  const choosePlatforms = (): PlatformName[] => {
    const others = random.sample(
      platforms.filter((platform) => platform !== 'x'),
      random.int(1, 3),
    )
    return random.percent(20) ? ['x', ...others] : others
  }

  const schedule = async () => {
    const marker = journal.nextMarker()
    const chosen = choosePlatforms()
    const momentMs = moment(random)
    const body = {
      socialAccountIds: chosen.map(accountOf),
      content: `Scheduled ${marker}`,
      metadata,
      scheduledAt: new Date(momentMs).toISOString(),
    }
    const outcome = await insist(`schedule ${marker}`, insisting, () =>
      api.posts.schedule({ body, idempotencyKey: marker }),
    )
    journal.requests.push({ marker, platforms: chosen, accepted: outcome.kind === 'done' })
    if (outcome.kind === 'done') journalPosts(outcome.data, marker, [momentMs])
  }

  const publishNow = async () => {
    const marker = journal.nextMarker()
    const chosen = choosePlatforms()
    const body = { socialAccountIds: chosen.map(accountOf), content: `Published ${marker}`, metadata }
    const outcome = await insist(`publish ${marker}`, insisting, () =>
      api.posts.publishNow({ body, idempotencyKey: marker }),
    )
    journal.requests.push({ marker, platforms: chosen, accepted: outcome.kind === 'done' })
    if (outcome.kind === 'done') journalPosts(outcome.data, marker, [])
  }

  const scheduleThread = async () => {
    const marker = journal.nextMarker()
    const count = random.int(2, 3)
    const momentMs = moment(random)
    const tweets = Array.from({ length: count }, (_, n) => ({ content: `Tweet ${n + 1} of ${marker}` }))
    const body = { socialAccountId: accountOf('x'), tweets, scheduledAt: new Date(momentMs).toISOString() }
    const outcome = await insist(`thread ${marker}`, insisting, () =>
      api.posts.scheduleThread({ body, idempotencyKey: marker }),
    )
    journal.requests.push({ marker, platforms: tweets.map(() => 'x' as const), accepted: outcome.kind === 'done' })
    // Threads are only made: what acts on one of its posts acts on the others too.
    if (outcome.kind === 'done') {
      const made = outcome.data.postIds.map((id) => ({ id, platform: 'x' as const }))
      journalPosts(made, marker, [momentMs])
      own.splice(own.length - made.length)
    }
  }

  /** One of the own posts that are still there: mostly one whose time has not come, else one of the newest. */
  const pickOwn = (): JournaledPost | undefined => {
    const there = own.filter(({ deleted }) => deleted === 'no')
    const waiting = there.filter(({ cancelled, moments: [moment = 0] }) => cancelled === 'no' && moment > Date.now())
    const choice = random.percent(70) && waiting.length > 0 ? waiting : there.slice(-20)
    return choice.length === 0 ? undefined : random.pick(choice)
  }

  const cancel = async (post: JournaledPost) => {
    const outcome = await insist(`cancel ${post.id}`, insisting, () => api.posts.cancel({ params: { id: post.id } }))
    if (outcome.kind === 'refused' && outcome.cutOff === 0) return
    if (outcome.kind === 'done') post.cancelled = 'yes'
    else if (post.cancelled === 'no') post.cancelled = 'maybe'
    post.mayBeLive ||= outcome.cutOff > 0 || (outcome.kind === 'done' && outcome.data.mayBeLive === true)
  }

  const reschedule = async (post: JournaledPost) => {
    const before = Math.min(...post.moments, Number.POSITIVE_INFINITY)
    // A post that failed with an unknown outcome is sent again by a reschedule, which this test does not consent to.
    if (post.moments.length === 0 || before < Date.now() + secondMs) return
    const momentMs = moment(random)
    const body = { scheduledAt: new Date(momentMs).toISOString() }
    const outcome = await insist(`reschedule ${post.id}`, insisting, () =>
      api.posts.reschedule({ params: { id: post.id }, body }),
    )
    if (outcome.kind === 'done') post.moments = [momentMs]
    else if (outcome.cutOff > 0) post.moments.push(momentMs)
    post.mayBeSentTwice ||= outcome.cutOff > 0 && Date.now() > before
  }

  const remove = async (post: JournaledPost) => {
    const outcome = await insist(`delete ${post.id}`, insisting, () => api.posts.delete({ params: { id: post.id } }))
    const isGone = outcome.kind === 'done' || (outcome.status === 404 && outcome.cutOff > 0)
    if (outcome.kind === 'refused' && outcome.status === 404 && outcome.cutOff === 0) {
      journal.complaints.push(`the post ${post.id} (${post.marker}) was accepted and cannot be found`)
    }
    if (!isGone) return
    post.deleted = 'yes'
    const output = outcome.kind === 'done' ? outcome.data : { published: true }
    post.mayBeLive ||= 'published' in output || 'mayBeLive' in output || outcome.cutOff > 0
  }

  const look = async (post: JournaledPost) => {
    const outcome = await insist(`get ${post.id}`, insisting, () => api.posts.get({ params: { id: post.id } }))
    const isComplete = outcome.kind === 'done' && outcome.data.content.includes(post.marker)
    if (!isComplete)
      journal.complaints.push(
        `the post ${post.id} (${post.marker}) was accepted, and get says ${JSON.stringify(outcome)}`,
      )
  }

  const act = async () => {
    const post = pickOwn()
    if (post === undefined) return schedule()
    return random.pick([cancel, cancel, reschedule, reschedule, remove, look])(post)
  }

  return { schedule, publishNow, scheduleThread, act }
}
