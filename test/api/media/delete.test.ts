import { expect, test } from 'vitest'
import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
import { put, transact } from '../../../shared/db/table.ts'
import { pair, ulid } from '../../../shared/ids.ts'
import { recordMediaUse } from '../../../shared/media/media-file.ts'
import { neverClaimed, type Post, posts } from '../../../shared/posts/lifecycle/row.ts'
import { gif } from '../../media/files.ts'
import { serveMedia } from './gallery.ts'

const mediaService = serveMedia()

const image = { bytes: gif(3, 4), mimeType: 'image/gif' }

async function startOne() {
  const fixture = await mediaService.open()
  const { ctx, workspaceId } = fixture
  const { id, storageKey } = (await fixture.add(image)).body.data
  const makePost = (groupId: string, n: number, status: Post['status'], mediaId: string): Post => ({
    id: groupId + pair(n),
    workspaceId,
    groupId,
    socialAccountId: `acc_${n}`,
    platform: 'bluesky',
    status,
    content: 'Hello',
    media: [{ id: mediaId, storageKey, mimeType: 'image/gif', fileSize: image.bytes.length, originalFilename: 'a' }],
    scheduledAt: new Date(ctx.clock.now() + 3_600_000).toISOString(),
    scheduledAtMs: ctx.clock.now() + 3_600_000,
    createdAt: new Date(ctx.clock.now()).toISOString(),
    publishedPostUrl: null,
    error: null,
    version: 1,
    sequence: 1,
    ...neverClaimed,
  })
  /** A group of posts that was accepted with the file; each of them by its status and the file it has now. */
  const post = async (...now: [Post['status'], string?][]) => {
    fixture.clock.pass(1)
    const groupId = ulid(ctx.clock.now())
    const rows = now.map(([status, mediaId = id], n) => makePost(groupId, n, status, mediaId))
    await transact(ctx, () => [
      ...rows.map((row) => ({ put: posts.item(row) })),
      ...recordMediaUse(workspaceId, groupId, [{ id }], ctx.clock.now() + 3_600_000),
    ])
    return rows
  }
  const remove = (query = '') => fixture.call('DELETE', `/${id}${query}`)
  return { ...fixture, id, storageKey, post, remove }
}

test('a deleted file is gone from gallery, counters, and bucket', async () => {
  const { remove, call, list, lies, id, storageKey } = await startOne()
  expect(await remove()).toMatchObject({ status: 200, body: { data: { id, deleted: true } } })
  expect((await call('GET', `/${id}`)).status).toBe(404)
  expect(await list()).toMatchObject({ items: [], total: 0 })
  expect(await lies(storageKey)).toBe(false)
  expect(await remove()).toMatchObject({ status: 404, body: { code: 'media_not_found' } })
})

test('one of several concurrent deletions succeeds, and the counters change once', async () => {
  const { remove, list, add } = await startOne()
  await add(image)
  let waiting = 0
  let release = () => {}
  const allHaveRead = new Promise<void>((resolve) => {
    release = resolve
  })
  const watcher = async <T>({ action }: FunctionEffect, run: () => Promise<T>) => {
    if (action === 'TransactWriteItems') {
      waiting += 1
      if (waiting === 3) release()
      await allHaveRead
    }
    return run()
  }
  const answers = await mediaService.watch(watcher, () => Promise.all([remove(), remove(), remove()]))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  expect(await list()).toMatchObject({ total: 1 })
})

test('another workspace cannot delete the file', async () => {
  const { id, list } = await startOne()
  const other = await mediaService.open()
  expect((await other.call('DELETE', `/${id}?force=true`)).status).toBe(404)
  expect(await list()).toMatchObject({ total: 1 })
})

test('keeps a file of scheduled posts, and the error names them', async () => {
  const { post, remove, lies, storageKey } = await startOne()
  const [first] = await post(['scheduled'], ['published'])
  const [, second] = await post(['cancelled'], ['scheduled'])
  const { status, body } = await remove()
  expect([status, body.code]).toEqual([409, 'media_in_use'])
  expect(body.postIds.sort()).toEqual([first?.id, second?.id].sort())
  expect((await remove('?force=false')).status).toBe(409)
  expect(await lies(storageKey)).toBe(true)
})

test('force deletes the file and returns the posts that used it', async () => {
  const { post, remove, lies, storageKey, id } = await startOne()
  const [scheduled] = await post(['scheduled'])
  const { status, body } = await remove('?force=true')
  expect([status, body.data]).toEqual([200, { id, deleted: true, postIds: [scheduled?.id] }])
  expect(await lies(storageKey)).toBe(false)
})

test('finished posts, and posts with another file now, do not prevent a deletion', async () => {
  const { post, remove } = await startOne()
  await post(['published'], ['failed'], ['cancelled'])
  await post(['scheduled', 'med_OTHER'])
  expect((await remove()).body.data).not.toHaveProperty('postIds')
})

test('finds a scheduled post among more groups than one batch', async () => {
  const { post, remove } = await startOne()
  for (let n = 0; n < 14; n += 1) await post(['published'])
  const [last] = await post(['scheduled'])
  expect((await remove()).body.postIds).toEqual([last?.id])
})

test('a use row of deleted posts does not prevent a deletion', async () => {
  const { ctx, workspaceId, id, remove } = await startOne()
  const [use] = recordMediaUse(workspaceId, ulid(ctx.clock.now()), [{ id }], ctx.clock.now())
  if (use && 'put' in use) await put(ctx, use.put)
  expect((await remove()).status).toBe(200)
})

test('deletes the asset when the bucket fails, and the file later', async () => {
  const { remove, id, storageKey, list, lies, service } = await startOne()
  await service.drain()
  const watcher = async <T>({ service }: FunctionEffect, run: () => Promise<T>) => {
    if (service === 's3') throw new Error('the bucket is away')
    return run()
  }
  expect((await mediaService.watch(watcher, () => remove())).body.data).toEqual({ id, deleted: true })
  expect(await list()).toMatchObject({ total: 0 })
  expect(await lies(storageKey)).toBe(true)
  await service.pass(2 * 60_000)
  expect(await lies(storageKey)).toBe(false)
})

test('force accepts true and false only', async () => {
  const { remove } = await startOne()
  expect(await remove('?force=yes')).toMatchObject({ status: 400, body: { field: 'force' } })
})
