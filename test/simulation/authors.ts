import type { Client } from '../../functions/client.ts'
import { minuteMs } from '../../shared/time.ts'
import { between, pick } from './draw.ts'
import type { ExpectedPost, People } from './people.ts'
import { metadata, type Tenant } from './world.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** How long before its time a post is scheduled; beyond a quarter of an hour EventBridge Scheduler carries it. */
const leads = [
  [200, 5_000],
  [5_000, minuteMs],
  [minuteMs, 4 * minuteMs],
  [15.5 * minuteMs, 18 * minuteMs],
] as const

const leadMs = ({ draw, loop, endMs }: People, name: string): number => {
  const inTime = leads.filter(([, max]) => loop.nowMs() + max < endMs)
  const [least, max] = pick(draw, `${name} lead`, inTime.length > 0 ? inTime : [leads[0]])
  return between(draw, `${name} exactly`, least, max)
}

const expectPost = (
  tenant: Tenant,
  { id, platform, text, fromMs }: { id: string; platform: string; text: string; fromMs: number },
  after?: ExpectedPost,
): ExpectedPost => ({
  id,
  tenant,
  platform,
  texts: [{ text, fromMs, sure: true }],
  withdrawn: false,
  warned: false,
  deleted: false,
  inDoubt: false,
  after,
})

/** A text to some accounts, now or later; sometimes the request is sent twice with its key. */
export const writePosts = async (people: People, tenant: Tenant, name: string): Promise<ExpectedPost[]> => {
  const { draw, loop, attempt, violate } = people
  const api = people.apiOf(tenant)
  const isNow = draw(`${name} now`) < 0.2
  const atMs = Math.floor(loop.nowMs() + (isNow ? 0 : leadMs(people, name)))
  const every = Object.keys(tenant.accounts)
  const some = every.filter((platform) => draw(`${name} on ${platform}`) < 0.6)
  const platforms = some.length > 0 ? some : [pick(draw, `${name} where`, every)]
  const socialAccountIds = platforms.map((platform) => tenant.accounts[platform] ?? '')
  const body = { socialAccountIds, content: name, metadata }
  const idempotencyKey = `key of ${name}`
  const request = () =>
    isNow
      ? api.posts.publishNow({ body, idempotencyKey })
      : api.posts.schedule({ body: { ...body, scheduledAt: iso(atMs) }, idempotencyKey })
  const { body: made = [] } = await attempt(`${isNow ? 'publish' : 'schedule'} "${name}" on ${platforms}`, request)
  if (made.length > 0 && draw(`${name} again`) < 0.3) {
    const { status, body: again = [] } = await attempt(`repeat "${name}"`, request)
    const isSame = again.map(({ id }) => id).join() === made.map(({ id }) => id).join()
    if (status === 200 && !isSame) violate(`the same Idempotency-Key made "${name}" twice`)
  }
  return made.map(({ id, platform }) => expectPost(tenant, { id, platform, text: name, fromMs: atMs }))
}

/** A thread on X; its first tweet stands for it. */
const writeThread = async (people: People, tenant: Tenant, name: string): Promise<ExpectedPost[]> => {
  const { draw, loop, attempt } = people
  const atMs = Math.floor(loop.nowMs() + leadMs(people, name))
  const texts = Array.from({ length: between(draw, `${name} tweets`, 2, 4) }, (_, n) => `${name} tweet ${n + 1}`)
  const tweets = texts.map((content) => ({ content }))
  const body = { socialAccountId: tenant.accounts['x'] ?? '', tweets, scheduledAt: iso(atMs) }
  const { body: made } = await attempt(`schedule thread "${name}"`, () =>
    people.apiOf(tenant).posts.scheduleThread({ body, idempotencyKey: `key of ${name}` }),
  )
  const all: ExpectedPost[] = []
  for (const [n, id] of (made?.postIds ?? []).entries()) {
    all.push(expectPost(tenant, { id, platform: 'x', text: texts[n] ?? '', fromMs: atMs }, all[n - 1]))
  }
  return all
}

/** Withdraws a post; with the first tweet of a thread, all of it. */
const withdraw = async (
  { attempt }: People,
  api: Client,
  [expected, ...rest]: readonly [ExpectedPost, ...ExpectedPost[]],
  how: string,
) => {
  const params = { id: expected.id }
  const { status, body, isInDoubt } = await attempt(
    `${how} ${expected.id}`,
    (): Promise<object> => (how === 'cancel' ? api.posts.cancel({ params }) : api.posts.delete({ params })),
  )
  for (const postId of [expected, ...rest]) {
    postId.inDoubt ||= isInDoubt
    if (status !== 200 || body === undefined) continue
    // Part of a thread can be live, and so can what a record was of that was deleted.
    const isLive = 'published' in body || ('status' in body && body.status === 'published')
    postId.warned ||= 'mayBeLive' in body || isLive
    postId.withdrawn = !isLive
    postId.deleted = how === 'delete'
  }
}

/** Gives a post another text, and perhaps another time. */
const rewrite = async (
  people: People,
  api: Client,
  expected: ExpectedPost,
  { how, name }: { how: string; name: string },
) => {
  const { loop, attempt } = people
  const params = { id: expected.id }
  const text = `${expected.texts[0]?.text} v${expected.texts.length + 1}`
  const lastMs = expected.texts.at(-1)?.fromMs ?? 0
  const fromMs = how === 'update' ? lastMs : Math.floor(loop.nowMs() + leadMs(people, name))
  const next = { text, fromMs, sure: false }
  expected.texts.push(next)
  const { status, body, isInDoubt } = await attempt(`${how} ${expected.id} to "${text}"`, async (): Promise<object> => {
    if (how === 'update') return api.posts.update({ params, body: { content: text } })
    return api.posts.reschedule({ params, body: { content: text, scheduledAt: iso(fromMs) } })
  })
  expected.inDoubt ||= isInDoubt && status !== 200
  if (status === 200) {
    next.sure = true
    expected.withdrawn = false
    expected.warned ||= body !== undefined && 'mayBeLive' in body
  } else if (!isInDoubt) expected.texts.splice(expected.texts.indexOf(next), 1)
}

const acts = ['cancel', 'delete', 'update', 'update', 'reschedule', 'reschedule'] as const

/** Changes a post, mostly around its publication. */
const change = async (
  people: People,
  expectedPosts: readonly [ExpectedPost, ...ExpectedPost[]],
  name: string,
): Promise<void> => {
  const [expected, ...rest] = expectedPosts
  const { draw, loop } = people
  const api = people.apiOf(expected.tenant)
  const dueMs = expected.texts.at(-1)?.fromMs ?? 0
  const aroundMs = pick(draw, `${name} around`, [20, 300, 3_000, 60_000, 200_000])
  await loop.wait(undefined, dueMs + (draw(`${name} when`) * 2 - 1) * aroundMs - loop.nowMs())
  const how = pick(draw, `${name} how`, acts)
  if (how === 'cancel' || how === 'delete' || rest.length > 0)
    await withdraw(people, api, expectedPosts, how === 'cancel' ? how : 'delete')
  else await rewrite(people, api, expected, { how, name })
}

/** A user of another workspace tries to withdraw a post; the service must refuse. */
const tryFromOutside = async (people: People, expected: ExpectedPost): Promise<void> => {
  const stranger = people.tenants.find((tenant) => tenant !== expected.tenant)
  if (stranger === undefined) return
  const api = people.apiOf({ ...stranger, workspaceId: expected.tenant.workspaceId })
  const { status } = await people.attempt(`cancel ${expected.id} from outside`, () =>
    api.posts.cancel({ params: { id: expected.id } }),
  )
  if (status === 200) people.violate(`${expected.id} was canceled by a stranger`)
}

/** An author who writes a post and then changes it. */
export const author = async (people: People, tenant: Tenant, name: string): Promise<void> => {
  const { draw, loop, expectedPosts, endMs, without } = people
  await loop.wait(undefined, draw(`${name} comes`) * 3 * minuteMs)
  const isThread = tenant.accounts['x'] !== undefined && draw(`${name} thread`) < 0.4
  const own = await (isThread ? writeThread : writePosts)(people, tenant, name)
  expectedPosts.push(...own)
  const [head, ...rest] = own
  if (head === undefined) return
  if (draw(`${name} is intruded`) < 0.3) await tryFromOutside(people, head)
  const units: (readonly [ExpectedPost, ...ExpectedPost[]])[] = isThread
    ? [[head, ...rest]]
    : own.map((text) => [text] as const)
  await Promise.all(
    units.map(async (unit, n) => {
      const steps = between(draw, `${name} ${n} steps`, 0, 3)
      for (let step = 1; step <= steps && loop.nowMs() < endMs; step += 1) {
        const of = `${name} ${n} step ${step}`
        if (!without.has(of)) await change(people, unit, of)
      }
    }),
  )
}
