import { localNames } from '../../infra/deploy/stacks/names.ts'
import { readCounts } from '../../shared/db/counters.ts'
import type { Item } from '../../shared/db/table.ts'
import type { Event } from '../../shared/events/event.ts'
import { outbox } from '../../shared/events/outbox.ts'
import { countNames } from '../../shared/posts/counts.ts'
import { type Post, postStatuses, posts } from '../../shared/posts/lifecycle/row.ts'
import { awaitsTurn, mayBeLive } from '../../shared/posts/lifecycle/state.ts'
import { scanTable } from '../support/world/rows.ts'
import type { ExpectedPost, People } from './people.ts'
import type { FaultLevel } from './run.ts'
import type { World } from './world.ts'

interface Ended extends World {
  people: People
  faultLevel: FaultLevel
  /** Functions may have crashed in this run. */
  canDie: boolean
  /** The lines that functions logged as errors. */
  errors: readonly string[]
  /** By how much the clock of a machine is wrong at most. */
  maxSkewMs: number
}

interface Seen extends Ended {
  rows: readonly Item[]
  posts: ReadonlyMap<string, Post>
  events: readonly Event[]
}

type Check = (seen: Seen) => Iterable<string> | Promise<Iterable<string>>

const rowsOf = (rows: readonly Item[], type: string) => rows.filter((row) => row['type'] === type)

const isWaiting = (post: Post) => post.status === 'scheduled' && !awaitsTurn(post)

/** Whether a post, an event, or a delivery waits for something. */
export const isUnfinished = async ({ service }: World): Promise<boolean> => {
  const rows = await scanTable({ ctx: service.context })
  const isPending = rowsOf(rows, 'Delivery').some(({ status }) => status === 'pending')
  const isUnsent = rowsOf(rows, 'Outbox').some(({ sweepAtMs }) => sweepAtMs !== undefined)
  return isPending || isUnsent || rowsOf(rows, 'Post').map(posts.parse).some(isWaiting)
}

/** What is live of a post. */
const liveOf = ({ service }: World, { texts, platform }: ExpectedPost) =>
  service.platforms
    .published()
    .filter((live) => live.platform === platform && texts.some(({ text }) => text === live.text))

/** The posts of a run, what their authors expect of them, and what is live of them. */
const postsWithLive = function* (seen: Seen) {
  for (const expected of seen.people.expectedPosts) {
    const post = seen.posts.get(expected.id)
    if (post === undefined || expected.tenant.deletedAtMs !== undefined) continue
    const live = liveOf(seen, expected)
    yield { expected, post, live, name: `${expected.id} "${expected.texts[0]?.text}"` }
  }
}

const nothingIsLost: Check = function* ({ people, posts }) {
  for (const { id, tenant, deleted, inDoubt, texts } of people.expectedPosts)
    if (!posts.has(id) && !deleted && !inDoubt && tenant.deletedAtMs === undefined)
      yield `${id} "${texts[0]?.text}" is lost`
}

const nothingIsStuck: Check = function* (seen) {
  for (const { name, post } of postsWithLive(seen)) if (isWaiting(post)) yield `${name} is stuck: it is still scheduled`
}

const nothingIsDoubled: Check = function* (seen) {
  for (const { name, expected, post, live } of postsWithLive(seen)) {
    const max = expected.warned || post.earlierMayBeLive === true ? 2 : 1
    if (live.length > max) yield `${name} is doubled: ${live.length} are live`
  }
}

/** The API's data about a post matches its platform. */
const statusesAreTrue: Check = function* (seen) {
  for (const { name, expected, post, live } of postsWithLive(seen)) {
    const isKnown = !mayBeLive(post) && !expected.warned
    if (post.status === 'published' && live.length === 0) yield `${name} is published, and is not live`
    if (post.status === 'failed' && isKnown && live.length > 0) yield `${name} has failed for certain, and is live`
    if (post.status === 'cancelled' && isKnown && live.length > 0) yield `${name} is cancelled, and is live`
    if (expected.withdrawn && isKnown && live.length > 0) yield `${name} was withdrawn, and is live`
    if (expected.withdrawn && post.status === 'published') yield `${name} was withdrawn, and is published`
  }
}

const deletedIsGone: Check = function* (seen) {
  for (const expected of seen.people.expectedPosts) {
    const { id, deleted, withdrawn, inDoubt, warned } = expected
    const isGone = deleted && withdrawn && !inDoubt && !warned
    if (isGone && liveOf(seen, expected).length > 0) yield `${id} "${expected.texts[0]?.text}" was deleted, and is live`
  }
}

/** Each published text was the newest accepted one at its time, and was not published before it. */
const nothingIsEarlyOrStale: Check = function* (seen) {
  for (const { name, expected, live } of postsWithLive(seen)) {
    for (const { text, publishedAt } of live) {
      const at = expected.texts.findLastIndex((own) => own.text === text)
      const earlyMs = (expected.texts[at]?.fromMs ?? 0) - publishedAt
      if (earlyMs > seen.maxSkewMs) yield `${name} is early by ${earlyMs} ms`
      const newer = expected.texts.slice(at + 1).find(({ sure }) => sure)
      if (newer && !expected.warned) yield `${name} went out as "${text}" although "${newer.text}" was accepted`
    }
  }
}

/** A call that was sent before something was deleted can arrive so much later. */
const longestCallMs = 90_000

/** Where nothing goes wrong, a post is published within seconds of its time. */
const maxLateMs = 5_000

const nothingIsLate: Check = function* (seen) {
  if (seen.faultLevel !== 'none') return
  for (const { name, expected, live } of postsWithLive(seen)) {
    const { text, fromMs } = expected.texts.at(-1) ?? { text: '', fromMs: 0 }
    const lateMs = (live.find((own) => own.text === text)?.publishedAt ?? fromMs) - fromMs
    // A tweet follows the one before it.
    if (lateMs > maxLateMs && expected.after === undefined) yield `${name} is late by ${lateMs} ms`
  }
}

/** Nothing exists that was not requested. */
const nothingIsUnrequested: Check = function* ({ people, posts, service }) {
  const inDoubt = people.sentRequests.filter(({ status }) => status >= 500).map(({ action }) => action)
  const isDoubted = (text: string) => inDoubt.some((action) => action.includes(`"${text.replace(/ tweet \d$/, '')}"`))
  const ids = new Set(people.expectedPosts.map(({ id }) => id))
  for (const { id, content = '' } of posts.values())
    if (!ids.has(id) && !isDoubted(content)) yield `${id} "${content}" has no author`
  const texts = new Set(people.expectedPosts.flatMap((expected) => expected.texts.map(({ text }) => text)))
  for (const { text, platform } of service.platforms.published())
    if (!texts.has(text) && !isDoubted(text) && text !== 'other 0')
      yield `"${text}" is live on ${platform}; it has no author`
}

/** A tweet replies to the one before it. */
const threadsAreChains: Check = function* (seen) {
  for (const { name, expected, live } of postsWithLive(seen)) {
    if (expected.after === undefined) continue
    const urls = liveOf(seen, expected.after).map(({ url }) => url)
    for (const { replyTo } of live)
      if (replyTo === null || !urls.includes(replyTo)) yield `${name} does not reply to the tweet before it`
  }
}

/** The types that the last event of a post can have, by its status. */
export const lastTypes: Readonly<Record<Post['status'], readonly (string | undefined)[]>> = {
  draft: [],
  // Publish-now emits no event for its acceptance.
  scheduled: ['post.scheduled', 'post.rescheduled', 'post.updated', undefined],
  published: [
    ...['post.published', 'post.comment_published', 'post.comment_failed', 'post.live_deleted'],
    ...['post.live_delete_failed', 'post.live_edited', 'post.live_edit_failed'],
  ],
  failed: ['post.publish_failed'],
  cancelled: ['post.cancelled'],
}

/** The events of a post are numbered without a gap, each names the one before it, and the last one fits the row. */
const eventsAreComplete: Check = function* ({ events, posts }) {
  if (new Set(events.map(({ id }) => id)).size !== events.length) yield 'two events have the same id'
  const ofPost = Map.groupBy(events, ({ data }) => String(data['postId']))
  for (const [postId, unsorted] of ofPost) {
    const sorted = unsorted.toSorted((a, b) => Number(a.data['sequence']) - Number(b.data['sequence']))
    for (const [n, { data }] of sorted.entries()) {
      const isNext = data['sequence'] === n + 1 && data['previousEventId'] === (sorted[n - 1]?.id ?? null)
      if (!isNext) yield `event ${n + 1} of ${postId} does not follow event ${n}`
    }
    const { sequence, status } = posts.get(postId) ?? {}
    if (status === undefined) continue
    if (sequence !== sorted.length) yield `${postId} counts ${sequence} events, and has ${sorted.length}`
    const last = sorted.at(-1)?.type
    if (!lastTypes[status].includes(last)) yield `${postId} is ${status}, and its last event is ${last}`
    const times = sorted.filter(({ type }) => type === 'post.published').length
    if (times !== (status === 'published' ? 1 : 0))
      yield `${postId} is ${status}, and announced as published ${times} times`
  }
  for (const { id, sequence } of posts.values())
    if (sequence > 0 && !ofPost.has(id)) yield `the events of ${id} are lost`
}

/** What happens within this time after an endpoint was made may be from before. */
const newbornMs = 5_000

/** Every event reached every endpoint that wants it, with a good signature, and no endpoint of another workspace. */
const eventsArrive: Check = function* ({ events, rows, service, people }) {
  const deliveries = service.inbox.deliveries()
  // The response with the secret was lost, or came after the first events, so that the receiver does not know it.
  const isSecretUnknown = (name: string, nowMs: number) =>
    people.sentRequests.some(
      ({ action, status, atMs }) => action === `listen at ${name}` && (status >= 400 || atMs >= nowMs),
    )
  const owners = new Map(rowsOf(rows, 'Endpoint').map(({ name, workspaceId }) => [name, workspaceId]))
  const received = new Map<unknown, Set<string>>()
  for (const { endpoint, receivedAt, verified, answered, rawBody } of deliveries) {
    const event: Event = JSON.parse(rawBody)
    const owner = owners.get(endpoint)
    if (owner !== undefined && owner !== event.workspace.id) yield `${endpoint} received an event of another workspace`
    if (owner !== undefined && !verified && !isSecretUnknown(endpoint, receivedAt))
      yield `${endpoint} received a bad signature`
    if (answered >= 200 && answered < 300) received.set(endpoint, (received.get(endpoint) ?? new Set()).add(event.id))
  }
  for (const { name, enabled, workspaceId, createdAt, events: types } of rowsOf(rows, 'Endpoint')) {
    if (enabled !== true || !Array.isArray(types)) continue
    for (const event of events) {
      const isOld = Date.parse(event.createdAt) < Date.parse(String(createdAt)) + newbornMs
      if (isOld || event.workspace.id !== workspaceId || !types.includes(event.type)) continue
      if (!received.get(name)?.has(event.id)) yield `${name} never received ${event.type} of ${event.data['postId']}`
    }
  }
}

const countsAreRows: Check = async ({ service, tenants, posts }) => {
  const wrong: string[] = []
  for (const { workspaceId, accounts } of tenants) {
    const truth = new Map<string, number>()
    const own = [...posts.values()].filter((post) => post.workspaceId === workspaceId)
    for (const name of own.flatMap((post) => countNames(post, post.status))) truth.set(name, (truth.get(name) ?? 0) + 1)
    const counts = await readCounts(service.context, workspaceId, 'POST')
    const names = postStatuses.flatMap((status) =>
      Object.values(accounts).flatMap((socialAccountId) => countNames({ socialAccountId }, status)),
    )
    for (const name of new Set(names))
      if (counts(name) !== (truth.get(name) ?? 0))
        wrong.push(`${name} counts ${counts(name)} of ${truth.get(name) ?? 0}`)
  }
  return wrong
}

/** The cap on X counts the posts that use it, and those whose records were deleted while they were live. */
const capsAreUse: Check = function* ({ rows, people }) {
  const deleted = people.expectedPosts.filter((expected) => expected.deleted || expected.inDoubt).length
  for (const { PK, SK, used } of rows.filter(({ SK }) => String(SK).startsWith('XCAP#'))) {
    const month = String(SK).slice('XCAP#'.length)
    const countedPosts = rowsOf(rows, 'Post').filter(
      (row) => row['capMonth'] === month && PK === `WS#${row['workspaceId']}`,
    ).length
    if (Number(used) < countedPosts || Number(used) > countedPosts + deleted)
      yield `the cap counts ${used}, and ${countedPosts} posts hold a place`
  }
}

/** What is finished is not swept, and nothing is left behind. */
const nothingIsLeftOver: Check = function* ({ rows, posts, service }) {
  for (const { id, status, sweepAtMs, leaseUntilMs } of posts.values()) {
    if (status === 'scheduled') continue
    if (sweepAtMs !== undefined) yield `${id} is ${status}, and is still swept`
    if (leaseUntilMs !== undefined) yield `${id} is ${status}, and is still leased`
  }
  for (const { id, status, sweepAtMs } of rowsOf(rows, 'Delivery')) {
    if (status === 'pending') yield `the delivery ${id} is still pending`
    else if (sweepAtMs !== undefined) yield `the delivery ${id} is ${status}, and is still swept`
  }
  for (const { id, sweepAtMs } of rowsOf(rows, 'Outbox')) if (sweepAtMs !== undefined) yield `${id} was never relayed`
  const dead = service.queues.peek(localNames.deadLetters)
  if (dead.length > 0) yield `${dead.length} messages are dead letters, such as ${dead[0]?.body}`
}

/** What is live was journaled before it was sent. */
const journalsAreComplete: Check = function* (seen) {
  for (const { name, post, live } of postsWithLive(seen)) {
    const attempts = (post.attempts?.length ?? 0) + (post.attempt === undefined ? 0 : 1)
    if (live.length > 0 && attempts === 0) yield `${name} is live, and no attempt is in its journal`
  }
}

/** A doubled message can be received this long after the other one: while the first attempt lasts. */
const maxSkewOfFirstsMs = 30_000

/**
 * Where only messages go wrong, nothing is sent to a platform twice. A receiver gets an event twice only if the messages of
 * its first attempt came at the same time, because that attempt has no lease (deliver.ts): as that attempt, with the same delivery
 * id, or, if one of both requests failed, as the next one.
 */
const nothingIsSentTwice: Check = function* ({ service, people, faultLevel }) {
  if (faultLevel === 'all') return
  const requests = service.inbox.deliveries().map(({ endpoint, headers, receivedAt, answered, rawBody }) => ({
    event: `${endpoint} received ${JSON.parse(rawBody).id}`,
    deliveryId: headers['x-service-delivery-id'],
    receivedAt,
    isTaken: answered >= 200 && answered < 300,
  }))
  for (const [event, own] of Map.groupBy(requests, (request) => request.event)) {
    const taken = own.filter(({ isTaken }) => isTaken)
    if (taken.length < 2) continue
    const firsts = own.filter(({ deliveryId }) => deliveryId === own[0]?.deliveryId)
    const times = firsts.map(({ receivedAt }) => receivedAt)
    const isDoubled = firsts.length > 1 && Math.max(...times) - Math.min(...times) < maxSkewOfFirstsMs
    const later = taken.filter(({ deliveryId }) => deliveryId !== own[0]?.deliveryId)
    if (!isDoubled || later.length > 1) yield `${event} ${taken.length} times`
  }
  const creates = service.platforms.calls().filter(({ operation }) => operation === 'create')
  for (const { texts, platform } of people.expectedPosts) {
    for (const { text } of texts) {
      const calls = creates.filter((call) => call.platform === platform && call.body.includes(`"${text}"`))
      if (calls.length > 1) yield `"${text}" was sent to ${platform} ${calls.length} times`
    }
  }
}

/** Where only messages go wrong, no function fails. */
const nothingFails: Check = ({ errors, faultLevel }) =>
  faultLevel === 'all' ? [] : errors.map((line) => `a function logged ${line}`)

/** Rows belong to the workspace of their key. */
const tenantsAreApart: Check = function* ({ rows, people, posts }) {
  for (const { PK, SK, type, workspaceId } of rows) {
    const [, owner] = /^WS#(ws_\w+)/.exec(String(PK)) ?? []
    if (owner && workspaceId !== undefined && workspaceId !== owner)
      yield `the ${type} ${SK} of ${workspaceId} lies with ${owner}`
  }
  for (const { id, tenant } of people.expectedPosts) {
    const post = posts.get(id)
    if (post && post.workspaceId !== tenant.workspaceId) yield `${id} is in another workspace`
    if (post && !Object.values(tenant.accounts).includes(post.socialAccountId)) yield `${id} goes to a foreign account`
  }
}

/** People have the membership that they were told of, and no one has a token or a list entry without one. */
const membershipsAreConsistent: Check = function* ({ rows, tenants }) {
  const members = new Map(rowsOf(rows, 'Member').map((row) => [`${row['userId']} in ${row['workspaceId']}`, row]))
  const listed = rowsOf(rows, 'Membership').map(({ PK, SK }) => `${PK} in ${SK}`.replaceAll(/USER#|WS#/g, ''))
  for (const membership of members.keys())
    if (!listed.includes(membership)) yield `${membership} does not find the workspace`
  for (const membership of listed)
    if (!members.has(membership)) yield `${membership} finds the workspace, and is no member`
  for (const { id, userId, workspaceId } of rowsOf(rows, 'AccessToken'))
    if (!members.has(`${userId} in ${workspaceId}`)) yield `the token ${id} of ${userId} outlives the membership`
  for (const { name, workspaceId, guest, deletedAtMs } of tenants) {
    if (deletedAtMs !== undefined) continue
    const own = rowsOf(rows, 'Member').filter((row) => row['workspaceId'] === workspaceId)
    if (own.filter(({ role }) => role === 'owner').length !== 1) yield `${name} has not one owner`
    const row = own.find(({ userId, status }) => userId === guest.userId && status === 'active')
    const membership = row?.['role'] ?? 'none'
    if (guest.membership !== undefined && membership !== guest.membership)
      yield `the guest of ${name} is ${membership}, and expects ${guest.membership}`
  }
}

/** Within hours, nothing of a deleted workspace is left, and nothing is sent for it. */
const deletedWorkspacesAreGone: Check = function* ({ rows, tenants, people, ...seen }) {
  for (const { name, workspaceId, deletedAtMs } of tenants) {
    if (deletedAtMs === undefined) continue
    for (const { PK, SK, type } of rows.filter((row) => String(row['PK']).startsWith(`WS#${workspaceId}`)))
      yield `the ${type} ${PK} ${SK} of the deleted workspace ${name} is left`
    for (const expected of people.expectedPosts.filter(({ tenant }) => tenant.name === name)) {
      for (const { text, publishedAt } of liveOf({ ...seen, tenants }, expected))
        if (publishedAt > deletedAtMs + longestCallMs) yield `"${text}" of the deleted workspace ${name} was published`
    }
  }
}

/** The service never blames itself, unless a function died: two requests of one environment share what they fetch. */
const errorsAreClear: Check = function* ({ people, canDie }) {
  for (const { action, status, code } of people.sentRequests) {
    if (status === 500 && !canDie) yield `${action} was answered 500 ${code}`
    if (code === 'newer_release') yield `${action} met a row that one of both releases cannot read`
  }
}

const checks: readonly Check[] = [
  nothingIsLost,
  nothingIsStuck,
  nothingIsDoubled,
  statusesAreTrue,
  deletedIsGone,
  nothingIsEarlyOrStale,
  nothingIsLate,
  nothingIsUnrequested,
  threadsAreChains,
  eventsAreComplete,
  eventsArrive,
  countsAreRows,
  capsAreUse,
  nothingIsLeftOver,
  journalsAreComplete,
  nothingIsSentTwice,
  nothingFails,
  tenantsAreApart,
  membershipsAreConsistent,
  deletedWorkspacesAreGone,
  errorsAreClear,
]

/** The invariants that do not hold at the end of a run, one sentence each. */
export const violationsOf = async (ended: Ended): Promise<string[]> => {
  const rows = await scanTable({ ctx: ended.service.context })
  const all = new Map(rowsOf(rows, 'Post').map((row) => [String(row['id']), posts.parse(row)]))
  const events = rowsOf(rows, 'Outbox')
    .flatMap((row) => outbox.parse(row).events)
    .filter(({ type, data }) => type.startsWith('post.') && data['test'] !== true)
  const violations = await Promise.all(
    checks.map(async (check) => [...(await check({ ...ended, rows, posts: all, events }))]),
  )
  return violations.flat()
}
