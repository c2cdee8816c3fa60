import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importForPosts } from '../../../shared/posts/imports/run.ts'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { expectSound } from '../../journeys/invariants.ts'
import { crashAfter } from '../../support/crash-after.ts'
import { everyNth } from '../../support/thin.ts'
import { filesIn, type ImportFixture, imported, pixel, startImportFixture } from './origin.ts'

let fixture: ImportFixture
beforeAll(async () => {
  fixture = await startImportFixture()
})
afterAll(async () => {
  await expectSound(fixture.kit)
  await fixture.close()
})
beforeEach(() => {
  fixture.kit.service.queues.faults.onSend = undefined
})

const loseImports = () => {
  fixture.kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('-import') ? 'lose' : 'keep')
}

let count = 0
const schedule = async (inMs = 2 * hourMs) => {
  const { kit, origin } = fixture
  count += 1
  const content = `Post ${count}`
  const scheduledAt = new Date(kit.clock.now() + inMs).toISOString()
  const mediaUrls = [`${origin}/${count}.png`]
  const body = { socialAccountIds: [kit.accounts.bluesky], content, scheduledAt, mediaUrls }
  const [post] = await kit.api.posts.schedule({ body })
  return { content, path: `/${count}.png`, id: post?.id ?? '', mediaId: post?.mediaUrls[0] ?? '' }
}
const live = (content: string) => fixture.kit.platforms.published().filter(({ text }) => text === content)
const filesOf = async (mediaId: string) => (await filesIn(fixture.kit)).filter((key) => key.includes(mediaId))

test('an import whose worker dies after any effect is repeated, and its post is published once', async () => {
  const { kit } = fixture
  const step = crashAfter(kit.ctx, (ctx, assetId: string) =>
    importForPosts(ctx, { workspaceId: kit.workspaceId, assetId }),
  )
  loseImports()
  const sample = await schedule()
  const effects = await step(sample.mediaId)
  expect(await imported(kit, sample.id)).toMatchObject({ imports: [{ status: 'ready' }] })
  expect(effects).toContain('CopyObject')
  for (const n of everyNth(4, effects.keys())) {
    loseImports()
    const one = await schedule(hourMs)
    await step(one.mediaId, n)
    kit.service.queues.faults.onSend = undefined
    await kit.service.pass(hourMs + 2 * minuteMs, { tickMinutes: 1 })
    const where = { n, effect: effects[n] }
    expect({ ...where, post: await imported(kit, one.id) }).toMatchObject({
      ...where,
      post: { status: 'published', imports: [{ status: 'ready' }] },
    })
    expect(live(one.content).map(({ media }) => media.length)).toEqual([1])
    // What a crash after the commit leaves below `incoming/` the bucket expires after a day.
    const files = (await filesOf(one.mediaId)).filter((key) => !key.startsWith('incoming/'))
    expect(files.map((key) => key.split('/')[1])).toEqual(['previews', 'uploads'])
  }
}, 240_000)

test('lost messages delay an import, doubled ones change nothing', async () => {
  const { kit, requested } = fixture
  loseImports()
  const lost = await schedule()
  kit.service.queues.faults.onSend = () => 'double'
  const doubled = await schedule()
  await kit.service.drain()
  kit.service.queues.faults.onSend = undefined
  expect(await imported(kit, lost.id)).toMatchObject({ imports: [{ status: 'pending' }] })
  expect(requested.filter((path) => path === doubled.path)).toHaveLength(1)
  await kit.service.pass(3 * minuteMs, { tickMinutes: 1 })
  expect(await imported(kit, lost.id)).toMatchObject({ imports: [{ status: 'ready' }] })
  await kit.service.pass(2 * hourMs + minuteMs)
  expect([...live(lost.content), ...live(doubled.content)].map(({ media }) => media.length)).toEqual([1, 1])
})

test('a post that is due before its file is ready waits, and is never published without it', async () => {
  const { kit } = fixture
  loseImports()
  const late = await schedule(minuteMs)
  await kit.service.pass(10 * minuteMs, { tickMinutes: 1 })
  expect(await imported(kit, late.id)).toMatchObject({ status: 'scheduled', imports: [{ status: 'pending' }] })
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(20 * minuteMs, { tickMinutes: 1 })
  expect(await imported(kit, late.id)).toMatchObject({ status: 'published' })
  expect(live(late.content).map(({ media }) => media.length)).toEqual([1])
  loseImports()
  const never = await schedule(minuteMs)
  await kit.service.pass(hourMs + 30 * minuteMs, { tickMinutes: 1 })
  expect(await imported(kit, never.id)).toMatchObject({ status: 'failed', reason: 'media_import_failed' })
  expect(live(never.content)).toEqual([])
  // Nothing waits for the file anymore.
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(20 * minuteMs, { tickMinutes: 1 })
  expect(await filesOf(never.mediaId)).toEqual([])
})

test.each([
  'cancel',
  'delete',
] as const)('a post that its author %ss during the import leaves nothing', async (action) => {
  const { kit, answers } = fixture
  const before = await kit.api.media.list()
  loseImports()
  const post = await schedule()
  const params = { id: post.id }
  answers.set(post.path, async (_, response) => {
    await kit.api.posts[action]({ params })
    response.writeHead(200).end(pixel)
  })
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(5 * minuteMs, { tickMinutes: 1 })
  expect(fixture.requested).toContain(post.path)
  expect(await filesOf(post.mediaId)).toEqual([])
  expect((await kit.api.media.list()).total).toBe(before.total)
  expect(live(post.content)).toEqual([])
})

test('a post that gets other files during the import does not wait for the former', async () => {
  const { kit, answers } = fixture
  const post = await schedule()
  answers.set(post.path, (_, response) => response.writeHead(404).end())
  await kit.api.posts.update({ params: { id: post.id }, body: { mediaUrls: [`${fixture.origin}/better.png`] } })
  await kit.service.drain()
  expect(await imported(kit, post.id)).toMatchObject({ imports: [{ status: 'ready' }], mediaError: null })
  await kit.service.pass(2 * hourMs + minuteMs)
  expect(live(post.content).map(({ media }) => media.length)).toEqual([1])
})
