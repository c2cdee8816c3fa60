import { expect } from 'vitest'
import type { ObserveFunction } from '../../../infra/local/service/invocation.ts'
import { minuteMs } from '../../../shared/time.ts'
import { Crash } from '../../support/crash.ts'
import { type Kit, start } from '../../support/start.ts'
import { eventsOf, listen, scheduleOn } from '../author.ts'
import { expectSound } from '../invariants.ts'
import { type Subject, subjects } from './subjects.ts'

/** What is lost at the moment, how busy the account is since, how long nothing can be read, and whether workers die. */
export interface Scene {
  lost: 'answer' | 'request'
  others: 1 | 12 | 200
  /** Minutes after the moment from which the platform can be read. */
  readableAfter: 0 | 11 | 300
  death: boolean
}

export const scenes: readonly Scene[] = (['answer', 'request'] as const).flatMap((lost) =>
  ([1, 12, 200] as const).flatMap((others) =>
    ([0, 11, 300] as const).flatMap((readableAfter) =>
      [false, true].map((death): Scene => ({ lost, others, readableAfter, death })),
    ),
  ),
)

export const nameOf = ({ lost, others, readableAfter, death }: Scene): string =>
  `${lost} lost, ${others} other posts since, readable after ${readableAfter} min${death ? ', workers die' : ''}`

/** The calls that make a post public, change or delete it, by platform, as observed. */
const creates: Readonly<Record<string, readonly string[]>> = {
  bluesky: ['POST /xrpc/com.atproto.repo.putRecord', 'POST /xrpc/com.atproto.repo.deleteRecord'],
  discord: ['POST /channels/{channel}/messages'],
  x: ['POST /2/tweets'],
  threads: ['POST /{user}/threads_publish'],
  instagram: ['POST /{user}/media_publish'],
  facebook: ['POST /{page}/feed', 'POST /{object}/comments', 'DELETE /{object}'],
  linkedin: ['POST /rest/posts', 'POST /rest/posts/{urn}', 'POST /rest/socialActions/{urn}/comments'],
  tiktok: ['PUT /video/'],
  pinterest: ['POST /v5/pins'],
  youtube: ['PUT /upload/youtube/v3/videos'],
  reddit: ['POST /api/submit', 'POST /api/submit_poll_post', 'POST /api/submit_gallery_post.json'],
  mastodon: ['POST /api/v1/statuses'],
  wordpress: ['POST /wp-json/wp/v2/posts/{post}', 'POST /wp-json/wp/v2/comments'],
  nostr: ['EVENT 1', 'EVENT 5'],
  slack: [
    ...['POST /api/chat.postMessage', 'POST /api/files.completeUploadExternal'],
    ...['POST /api/chat.update', 'POST /api/chat.delete'],
  ],
}

/** Deaths of the publisher: each named platform has as many as are left of it. */
const makeDeaths = () => {
  let left = new Map<string, number>()
  let side: 'before' | 'after' = 'before'
  let atCreate = true
  const observe: ObserveFunction = async (effect, run) => {
    const { service, action, functionName } = effect
    const deaths = left.get(service) ?? 0
    const isIt = !atCreate || creates[service]?.includes(action)
    if (functionName !== 'publish-post' || deaths === 0 || !isIt) return run()
    left.set(service, deaths - 1)
    if (side === 'after') await run()
    throw new Crash(`${side} ${action}`)
  }
  return {
    observe,
    /** Whoever makes a post public dies: before the call leaves, or when it has landed. */
    atCreates(which: 'before' | 'after', counts: ReadonlyMap<string, number>) {
      ;[atCreate, side, left] = [true, which, new Map(counts)]
    },
    /** The next call to a platform crashes its caller. */
    atNextCalls(counts: ReadonlyMap<string, number>) {
      ;[atCreate, side, left] = [false, 'before', new Map(counts)]
    },
    end() {
      left = new Map()
    },
  }
}

export interface Placed {
  subject: Subject
  text: string
  ids: readonly string[]
}

/** How long a post is live before its first comment, its deletion, or its edit is in doubt. */
const liveMs = 5 * minuteMs

export const scheduleSubject = async (kit: Kit, subject: Subject, dueMs: number): Promise<Placed> => {
  const account = await subject.connect(kit)
  const text = `doubt ${subject.name};`
  const scheduledAt = new Date(dueMs).toISOString()
  if (subject.isThread) {
    const tweets = [1, 2].map((n) => ({ content: `${text} ${n}` }))
    const { postIds } = await kit.api.posts.scheduleThread({ body: { socialAccountId: account, tweets, scheduledAt } })
    return { subject, text, ids: postIds }
  }
  if (subject.commentedBy !== undefined) {
    const body = {
      socialAccountIds: [account],
      scheduledAt: new Date(dueMs - liveMs).toISOString(),
      ...(await subject.draft(kit, `under ${subject.name};`)),
      firstComment: { text, delaySeconds: liveMs / 1000 - 10 },
    }
    const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
    return { subject, text, ids: [id] }
  }
  const liveAt = new Date(dueMs - liveMs).toISOString()
  const draft = await subject.draft(kit, text)
  const body = { socialAccountIds: [account], scheduledAt: subject.liveChange ? liveAt : scheduledAt, ...draft }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  return { subject, text, ids: [id] }
}

const edited = (text: string) => `${text} edited`

const requestChange = ({ api }: Kit, { subject, text, ids: [id = ''] }: Placed) =>
  subject.liveChange === 'delete'
    ? api.posts.delete({ params: { id }, query: { live: 'true' } })
    : api.posts.update({ params: { id }, query: { live: 'true' }, body: { content: edited(text) } })

const platformsOf = (which: readonly Subject[]) => Map.groupBy(which, ({ platform }) => platform)

/** Others post: half of them immediately, the rest just before the platform can be read again. */
const crowd = (kit: Kit, which: readonly Subject[], count: number) => {
  const targets = new Map(which.map(({ platform, target }) => [target, platform]))
  for (const [target, platform] of targets) if (count > 0) kit.platforms.crowd(platform, target, count)
}

const breakDown = (kit: Kit, which: readonly Subject[]) =>
  kit.platforms.faults.add(
    [...platformsOf(which).keys()].map((platform) => ({ platform, times: 1_000_000, fault: 'html_503' as const })),
  )

/** What the author sees of a cell, and what the platform holds. */
export interface Seen {
  cell: string
  status: string
  reason: unknown
  live: number
}

export const look = async (kit: Kit, { subject, text, ids }: Placed): Promise<Seen> => {
  const [first = ''] = ids
  const { status, firstComment, liveDeletedAt, liveEditedAt } = await kit.api.posts.get({ params: { id: first } })
  const shown = kit.platforms
    .published()
    .filter((post) => post.platform === subject.platform && post.text.includes(text))
  const live = subject.isThread ? shown.filter(({ replyTo }) => replyTo === null).length : shown.length
  const cell = subject.name
  if (firstComment)
    return { cell, status: firstComment.status, reason: firstComment.mayBeLive ? 'outcome_unknown' : undefined, live }
  if (subject.liveChange === 'delete')
    return { cell, status: liveDeletedAt ? 'deleted' : 'live', reason: undefined, live }
  if (subject.liveChange === 'edit') {
    const now = shown.filter((post) => post.text.includes(edited(text))).length
    return { cell, status: liveEditedAt ? 'edited' : 'live', reason: undefined, live: now }
  }
  return { cell, status, reason: eventsOf(kit, first).at(-1)?.data['reason'], live }
}

const ends = { delete: { status: 'deleted', live: 0 }, edit: { status: 'edited', live: 1 } }

const expected = ({ name, isUnreadable, isUnprovable, liveChange }: Subject, { lost, readableAfter }: Scene): Seen => {
  if (liveChange) return { cell: name, reason: undefined, ...ends[liveChange] }
  return isUnprovable || (isUnreadable && readableAfter > 0)
    ? { cell: name, status: 'failed', reason: 'outcome_unknown', live: lost === 'answer' ? 1 : 0 }
    : { cell: name, status: 'published', reason: undefined, live: 1 }
}

/**
 * Plays a scene with one post of every subject at the same time. Five minutes after the platforms can be read every post must have
 * its outcome, and none may be there twice, then or later. Returns how many cells that were.
 */
export const play = async (scene: Scene, which: readonly Subject[] = subjects): Promise<number> => {
  const deaths = makeDeaths()
  const kit = await start({ observe: deaths.observe })
  await listen(kit)
  // In an empty channel of Discord a probe finds nothing out.
  await scheduleOn(kit, 'discord', 'the first one', 1000)
  const dueMs = kit.clock.now() + 13 * minuteMs
  const placed: Placed[] = []
  for (const subject of which) {
    // Two of one platform a little apart: whoever dies takes what is in the same batch along.
    const before = placed.filter((post) => post.subject.platform === subject.platform).length
    placed.push(await scheduleSubject(kit, subject, dueMs - (scene.death ? before * 8_000 : 0)))
  }
  await kit.service.pass(12 * minuteMs, { tickMinutes: 6 })

  const counts = new Map([...platformsOf(which)].map(([platform, of]) => [platform, of.length]))
  const fault = scene.lost === 'answer' ? 'landed_then_reset' : 'reset_before'
  if (scene.death) deaths.atCreates(scene.lost === 'answer' ? 'after' : 'before', counts)
  else
    kit.platforms.faults.add(
      which.map(
        ({ platform, liveChange, commentedBy }) =>
          ({ platform, operation: liveChange ?? commentedBy ?? 'create', times: 1, fault }) as const,
      ),
    )
  await kit.service.pass(dueMs - 500 - kit.clock.now())
  for (const post of placed) if (post.subject.liveChange) await requestChange(kit, post)
  await kit.service.pass(dueMs + 900 - kit.clock.now())
  deaths.end()
  expect(kit.platforms.faults.pending(), 'every create was lost').toEqual([])

  const soon = scene.readableAfter === 0 ? scene.others : Math.ceil(scene.others / 2)
  crowd(kit, which, soon)
  if (scene.readableAfter > 0) {
    breakDown(kit, which)
    const readableMs = dueMs + scene.readableAfter * minuteMs
    await kit.service.pass(5 * minuteMs)
    const away = readableMs - kit.clock.now() - 6 * minuteMs
    if (away > 0) {
      kit.clock.pass(away)
      await kit.service.pass(1)
    }
    await kit.service.pass(readableMs - kit.clock.now() - minuteMs)
    if (scene.death) deaths.atNextCalls(counts)
    await kit.service.pass(minuteMs)
    deaths.end()
    crowd(kit, which, scene.others - soon)
    kit.platforms.faults.clear()
  }
  await kit.service.pass(5 * minuteMs)
  const outcomes = which.map((subject) => expected(subject, scene))
  expect(await Promise.all(placed.map((post) => look(kit, post)))).toEqual(outcomes)

  await kit.service.pass(60 * minuteMs, { tickMinutes: 10 })
  expect(await Promise.all(placed.map((post) => look(kit, post)))).toEqual(outcomes)
  for (const { ids } of placed.filter(({ subject }) => subject.isThread)) {
    for (const id of ids) expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  }
  await expectSound(kit)
  await kit.close()
  return which.length
}
