import type { RequestListener, ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultConcurrency } from '../../../infra/deploy/stacks/concurrency.ts'
import { blueskySeed } from '../../../infra/local/platforms/bluesky/seed.ts'
import { importForPosts } from '../../../shared/posts/imports/run.ts'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { makeWorkspace } from '../../support/world/preparations.ts'
import { filesIn, type ImportFixture, imported, pixel, startImportFixture } from './origin.ts'

let fixture: ImportFixture
beforeAll(async () => {
  fixture = await startImportFixture()
})
afterAll(() => fixture.close())

let count = 0
const scheduleWith = async (answer: RequestListener) => {
  const { kit, origin, answers } = fixture
  count += 1
  const path = `/${count}.png`
  answers.set(path, answer)
  const scheduledAt = new Date(kit.clock.now() + 2 * hourMs).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: path, scheduledAt, mediaUrls: [origin + path] }
  const [post] = await kit.api.posts.schedule({ body })
  return { path, id: post?.id ?? '', mediaId: post?.mediaUrls[0] ?? '' }
}

/** Sends bytes until the other side hangs up. */
const endless =
  (start: Uint8Array): RequestListener =>
  (_request, response) => {
    response.writeHead(200, { 'content-type': 'image/jpeg' }).write(start)
    const block = Buffer.alloc(1024 * 1024)
    const more = () => {
      while (!response.destroyed && response.write(block));
    }
    response.on('drain', more)
    more()
  }
/** A JPEG of 60 MB in 60 kB. */
const bomb = gzipSync(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(60_000_000)]))

const to =
  (location: string): RequestListener =>
  (_request, response) =>
    response.writeHead(302, { location }).end()

const fatal: [string, RequestListener, string][] = [
  ['is missing', (_, response) => response.writeHead(404).end(), 'returned the status 404'],
  [
    'is compressed in a way that is not known',
    (_, response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end(pixel),
    'with the encoding "zstd". Turn off the compression there',
  ],
  [
    'claims to be compressed, and is not',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(pixel),
    'compressed with gzip, and it cannot be unpacked',
  ],
  [
    'unpacks to more than an image may have',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    'larger than 50000000 bytes',
  ],
  ['is empty', (_, response) => response.writeHead(200).end(), 'is empty'],
  [
    'is a web page that calls itself an image',
    (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<html>No</html>'),
    'a web page',
  ],
  ['is a cut image', (_, response) => response.writeHead(200).end(pixel.subarray(0, 30)), 'uploaded file'],
  ['is endless', endless(Buffer.from([0xff, 0xd8, 0xff, 0xe0])), 'larger than 50000000 bytes'],
  ['redirects in a circle', (request, response) => to(request.url ?? '')(request, response), 'more than 3 times'],
  ['redirects to a private address', to('https://10.0.0.1/a.png'), 'is not on the public internet'],
  ['redirects to metadata of the machine', to('http://169.254.169.254/latest/meta-data'), 'must start with https://'],
  ['redirects to another port', to('http://127.0.0.1:1/a.png'), 'must start with https://'],
]

test.each(fatal)('a file that %s fails immediately, and its post at its time', async (_title, answer, why) => {
  const { kit, requested } = fixture
  const { path, id, mediaId } = await scheduleWith(answer)
  await kit.service.drain()
  const post = await imported(kit, id)
  expect(post).toMatchObject({ status: 'scheduled', imports: [{ mediaId, status: 'failed' }] })
  expect(post.imports[0]?.error).toContain(why)
  expect(post.mediaError).toContain(why)
  expect(requested.filter((requestedPath) => requestedPath === path).length).toBeLessThanOrEqual(4)
  await kit.service.pass(2 * hourMs + minuteMs)
  expect(await imported(kit, id)).toMatchObject({ status: 'failed', reason: 'media_import_failed', retrySafe: true })
  expect((await imported(kit, id)).error).toContain(why)
  expect(kit.platforms.published()).toEqual([])
  expect((await filesIn(kit)).filter((key) => key.includes(mediaId))).toEqual([])
  await expect(kit.api.media.get({ params: { id: mediaId } })).rejects.toMatchObject({ code: 'media_not_found' })
})

test.each([
  ['gzip', gzipSync(pixel)],
  ['br', brotliCompressSync(pixel)],
  ['deflate', deflateSync(pixel)],
])('a file that a server compresses with %s without being asked is unpacked', async (encoding, bytes) => {
  const { kit } = fixture
  const { id, mediaId } = await scheduleWith((_, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
  )
  await kit.service.drain()
  expect(await imported(kit, id)).toMatchObject({ imports: [{ mediaId, status: 'ready' }] })
  expect(await kit.api.media.get({ params: { id: mediaId } })).toMatchObject({
    mimeType: 'image/png',
    fileSize: pixel.length,
  })
  await kit.api.posts.cancel({ params: { id } })
})

test('a header that lies about an image does not matter, nor does a redirect to it', async () => {
  const { kit, origin } = fixture
  const lie = await scheduleWith((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(pixel))
  const moved = await scheduleWith(to(`${origin}/elsewhere.png`))
  await kit.service.drain()
  for (const { id } of [lie, moved]) expect(await imported(kit, id)).toMatchObject({ imports: [{ status: 'ready' }] })
})

test('an address that fails for a while is retried, at most five times', async () => {
  const { kit, requested } = fixture
  let left = 1
  const once = await scheduleWith((_, response) =>
    left-- > 0 ? response.writeHead(500).end() : response.writeHead(200).end(pixel),
  )
  const never = await scheduleWith((_, response) => response.writeHead(503).end())
  await kit.service.drain()
  const why = expect.stringContaining('returned the status 500')
  expect(await imported(kit, once.id)).toMatchObject({ imports: [{ status: 'pending', error: why }], mediaError: null })
  await kit.service.pass(minuteMs)
  expect(await imported(kit, once.id)).toMatchObject({ imports: [{ status: 'ready', error: null }] })
  await kit.service.pass(hourMs, { tickMinutes: 1 })
  expect((await imported(kit, never.id)).imports[0]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('returned the status 503'),
  })
  expect(requested.filter((requestedPath) => requestedPath === never.path)).toHaveLength(5)
})

/** One that never answers, one that stops after some bytes, and one that trickles, each with its own message. */
const slow: [string, RequestListener, string][] = [
  ['does not respond', () => undefined, 'did not begin to respond within 100 ms'],
  [
    'stops in the middle',
    (_, response) => void response.writeHead(200).write(pixel.subarray(0, 20)),
    'sent fewer than 1000 bytes in 0.2 seconds',
  ],
  [
    'trickles',
    (_, response) => {
      response.writeHead(200)
      const timer = setInterval(
        () => (response.destroyed ? clearInterval(timer) : response.write(pixel.subarray(0, 2))),
        20,
      )
    },
    'sent fewer than 1000 bytes in 0.2 seconds',
  ],
]

test.each(
  slow,
)('a server that %s is called twice, and its import fails with the reason', async (_title, answer, why) => {
  const { kit, requested } = fixture
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('-import') ? 'lose' : 'keep')
  const { path, id, mediaId } = await scheduleWith(answer)
  const pace = { firstByteMs: 100, windowMs: 200, leastBytes: 1_000 }
  const tryOnce = () => importForPosts(kit.ctx, { workspaceId: kit.workspaceId, assetId: mediaId }, pace)
  await tryOnce()
  expect((await imported(kit, id)).imports[0]).toMatchObject({ status: 'pending', error: expect.stringContaining(why) })
  kit.clock.pass(minuteMs)
  await tryOnce()
  kit.service.queues.faults.onSend = undefined
  expect((await imported(kit, id)).imports[0]).toMatchObject({ status: 'failed', error: expect.stringContaining(why) })
  expect(requested.filter((requestedPath) => requestedPath === path)).toHaveLength(2)
  await kit.api.posts.cancel({ params: { id } })
})

test('a server that pauses, and sends the file in time, is no slow one', async () => {
  const { kit } = fixture
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('-import') ? 'lose' : 'keep')
  const paused = await scheduleWith((_, response) => {
    response.writeHead(200).write(pixel.subarray(0, 20))
    setTimeout(() => response.end(pixel.subarray(20)), 100)
  })
  const pace = { windowMs: 30_000, leastBytes: 1_000 }
  await importForPosts(kit.ctx, { workspaceId: kit.workspaceId, assetId: paused.mediaId }, pace)
  kit.service.queues.faults.onSend = undefined
  expect((await imported(kit, paused.id)).imports[0]).toMatchObject({ status: 'ready' })
})

test('a workspace that names twenty slow servers leaves the others their imports', async () => {
  const { kit, origin, answers, requested } = fixture
  kit.service.queues.faults.onSend = ({ queueName }) => (queueName.endsWith('-import') ? 'lose' : 'keep')
  const hung: ServerResponse[] = []
  const slowOnes = []
  for (let n = 0; n < 20; n += 1) {
    slowOnes.push(await scheduleWith((_, response) => void hung.push(response.writeHead(200))))
  }
  const { id: workspaceId, api } = await makeWorkspace(kit)
  const { handle: identifier, appPassword } = blueskySeed.secondAccount
  const account = await api.socialAccounts.connectBluesky({ body: { identifier, appPassword } })
  const scheduledAt = new Date(kit.clock.now() + 2 * hourMs).toISOString()
  answers.delete('/of-another.png')
  const [post] = await api.posts.schedule({
    body: {
      socialAccountIds: [account.id],
      content: 'Of another',
      scheduledAt,
      mediaUrls: [`${origin}/of-another.png`],
    },
  })
  const other = { workspaceId, assetId: post?.mediaUrls[0] ?? '' }
  const queue = [...slowOnes.map(({ mediaId }) => ({ workspaceId: kit.workspaceId, assetId: mediaId })), other]
  // As many invocations as the queue has at most, each with the next message.
  const invocation = async () => {
    for (let message = queue.shift(); message; message = queue.shift()) await importForPosts(kit.ctx, message)
  }
  const all = Promise.all(Array.from({ length: defaultConcurrency.import ?? 0 }, invocation))
  const stateOfOther = async () => (await api.posts.get({ params: { id: post?.id ?? '' } })).imports[0]?.status
  await expect.poll(stateOfOther, { timeout: 20_000 }).toBe('ready')
  // Four of the twenty still hold an invocation, and the others wait without one.
  expect(hung).toHaveLength(4)
  const paths = new Set(slowOnes.map(({ path }) => path))
  expect(requested.filter((path) => paths.has(path))).toHaveLength(4)
  for (const response of hung) response.destroy()
  await all
  // A slot is free again with the end of its try.
  for (const { path } of slowOnes) answers.delete(path)
  kit.service.queues.faults.onSend = undefined
  await kit.service.pass(15 * minuteMs, { tickMinutes: 1 })
  for (const { id } of slowOnes) expect((await imported(kit, id)).imports[0]).toMatchObject({ status: 'ready' })
}, 60_000)

test('an image that the platform refuses is named immediately, and its post fails at its time', async () => {
  const { kit, origin } = fixture
  const instagram = await connectOn(kit, 'instagram')
  const scheduledAt = new Date(kit.clock.now() + hourMs).toISOString()
  const metadata = { instagram: { format: 'reel' } }
  const body = {
    socialAccountIds: [instagram],
    content: 'Tiny',
    metadata,
    scheduledAt,
    mediaUrls: [`${origin}/tiny.png`],
  }
  const [post] = await kit.api.posts.schedule({ body })
  await kit.service.drain()
  const params = { id: post?.id ?? '' }
  expect(await imported(kit, params.id)).toMatchObject({
    imports: [{ status: 'ready' }],
    mediaError: expect.stringContaining('Instagram: '),
  })
  await kit.service.pass(hourMs + minuteMs)
  expect(await imported(kit, params.id)).toMatchObject({ status: 'failed', reason: 'media_import_failed' })
  expect(kit.platforms.published().filter(({ text }) => text === 'Tiny')).toEqual([])
})
