import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { Crash, type FunctionEffect, type ObserveFunction } from '../../infra/local/service/invocation.ts'
import { equal } from '../../shared/db/expression.ts'
import { queryAll, update } from '../../shared/db/table.ts'
import type { AssetView } from '../../shared/media/asset.ts'
import { jobs, jobsPartitionOf } from '../../shared/media/job.ts'
import { previewKeyOf } from '../../shared/media/reference.ts'
import { minuteMs } from '../../shared/time.ts'
import { type MediaFixture, serveMedia } from '../api/media/gallery.ts'
import { listFiles } from '../workspaces/files.ts'
import { clip } from './clips.ts'
import { halves } from './pictures.ts'

const mediaService = serveMedia()

const video = { mimeType: 'video/mp4', bytes: clip() }
const image = async () => ({ mimeType: 'image/png', bytes: await halves(60, 40).png().toBuffer() })

/** Lets one function die at its nth effect: before it, or after it, before anything else knows of it. */
const dieAt = (name: string, nth: number, behind: boolean) => {
  let seen = 0
  const observe: ObserveFunction = async ({ functionName }, run) => {
    if (functionName !== name) return run()
    seen += 1
    if (seen !== nth) return run()
    if (behind) await run()
    throw new Crash('dead')
  }
  return { observe, reached: () => seen >= nth }
}

/** Rows, count, files, and jobs of a workspace must agree. */
const expectSound = async (fixture: MediaFixture) => {
  const { ctx, workspaceId, list } = fixture
  const { items, total } = await list('?limit=200')
  expect(total).toBe(items.length)
  const keys = items.flatMap(({ id, storageKey, mimeType }: z.infer<typeof AssetView>) =>
    mimeType.startsWith('image/') ? [storageKey, previewKeyOf(workspaceId, id)] : [storageKey],
  )
  const files = (await listFiles(fixture, workspaceId)).filter((key) => !key.startsWith('incoming/'))
  expect(files.sort()).toEqual(keys.sort())
  for (const { mimeType, previewUrl } of items) if (mimeType.startsWith('image/')) expect(previewUrl).toMatch(/webp$/)
  expect(await queryAll(ctx, { key: equal('PK', jobsPartitionOf(workspaceId)) })).toEqual([])
  return items.length
}

/** Repeats an operation, each time with a crash at another effect; returns the number of crashes. */
const dieEverywhere = async (name: string, prepare: () => Promise<string>, act: (made: string) => Promise<unknown>) => {
  const made: string[] = []
  for (const behind of [false, true]) {
    for (let nth = 1; ; nth += 1) {
      const one = await prepare()
      made.push(one)
      const death = dieAt(name, nth, behind)
      await mediaService.watch(death.observe, () => act(one))
      if (!death.reached()) break
    }
  }
  return made
}

test.each([
  ['an image', image],
  ['a video', async () => video],
] as const)('a completion of %s that dies anywhere leaves nothing half done, and the next one succeeds', async (_, make) => {
  const [fixture, file] = [await mediaService.open(), await make()]
  const keys = await dieEverywhere(
    'media-complete',
    () => fixture.upload(file),
    (storageKey) => fixture.complete(storageKey, file),
  )
  expect(keys.length).toBeGreaterThan(15)
  await fixture.service.pass(3 * minuteMs)
  const taken = await expectSound(fixture)
  expect([taken > 2, taken < keys.length - 8]).toEqual([true, true])
  for (const key of keys) expect((await fixture.complete(key, file)).status).toBe(201)
  await fixture.service.pass(3 * minuteMs)
  expect(await expectSound(fixture)).toBe(keys.length)
})

test('a file in a request that dies anywhere leaves nothing half done', async () => {
  const [fixture, file] = [await mediaService.open(), await image()]
  const content = file.bytes.toString('base64')
  const names = await dieEverywhere(
    'media-create',
    async () => 'view.png',
    (filename) => fixture.call('POST', '', { content, filename }),
  )
  expect(names.length).toBeGreaterThan(10)
  await fixture.service.pass(3 * minuteMs)
  const taken = await expectSound(fixture)
  expect([taken > 2, taken < names.length - 6]).toEqual([true, true])
})

test('a deletion that dies anywhere deletes the file or keeps all of it', async () => {
  const [fixture, file] = [await mediaService.open(), await image()]
  const ids = await dieEverywhere(
    'media-delete',
    async () => (await fixture.add(file)).body.data.id,
    (id) => fixture.service.drain().then(() => fixture.call('DELETE', `/${id}`)),
  )
  expect(ids.length).toBeGreaterThan(10)
  await fixture.service.pass(3 * minuteMs)
  const left = await expectSound(fixture)
  expect([left > 2, left < ids.length - 4]).toEqual([true, true])
})

test('a preview whose worker dies anywhere exists in the end', async () => {
  const [fixture, file] = [await mediaService.open(), await image()]
  const keys = await dieEverywhere(
    'make-preview',
    async () => (await fixture.add(file)).body.data.storageKey,
    () => fixture.service.drain(),
  )
  expect(keys.length).toBeGreaterThan(8)
  await fixture.service.pass(15 * minuteMs)
  expect(await expectSound(fixture)).toBe(keys.length)
})

test('the next completion adopts a copy left by a failed one', async () => {
  const fixture = await mediaService.open()
  const storageKey = await fixture.upload(video)
  const die: ObserveFunction = ({ functionName, action }, run) => {
    if (functionName === 'media-complete' && action === 'TransactWriteItems') throw new Crash('dead')
    return run()
  }
  expect((await mediaService.watch(die, () => fixture.complete(storageKey, video))).status).toBe(502)
  expect(await fixture.lies(storageKey)).toBe(true)
  expect((await fixture.complete(storageKey, video)).body.data).toMatchObject({ width: 1080, duration: 15_000 })
  expect(await expectSound(fixture)).toBe(1)
})

test('rejects a completion while a file of the same key is deleted', async () => {
  const fixture = await mediaService.open()
  const storageKey = await fixture.upload(video)
  const { ctx, workspaceId } = fixture
  const id = storageKey.slice(storageKey.lastIndexOf('/') + 1, -4)
  const during: ObserveFunction = async ({ action }: FunctionEffect, run) => {
    const done = await run()
    // The sweeper has given up the copy in the meantime.
    if (action === 'CopyObject') await update(ctx, jobs.key({ workspaceId, id }), { set: { removing: true } })
    return done
  }
  const fenced = { status: 409, body: { code: 'media_deletion_in_progress', field: 'storageKey' } }
  expect(await mediaService.watch(during, () => fixture.complete(storageKey, video))).toMatchObject(fenced)
  expect(await fixture.complete(storageKey, video)).toMatchObject(fenced)
  await fixture.service.pass(2 * minuteMs)
  expect(await fixture.lies(storageKey)).toBe(false)
  expect((await fixture.complete(storageKey, video)).status).toBe(201)
})

test('rejects a file that is replaced during the inspection', async () => {
  const fixture = await mediaService.open()
  const storageKey = await fixture.upload(video)
  const replace: ObserveFunction = async ({ functionName, action }, run) => {
    if (functionName === 'media-complete' && action === 'CopyObject') {
      await fixture.lay(storageKey, Buffer.alloc(video.bytes.length, 7))
    }
    return run()
  }
  const answer = await mediaService.watch(replace, () => fixture.complete(storageKey, video))
  expect(answer).toMatchObject({ status: 409, body: { code: 'upload_changed', field: 'storageKey' } })
  expect(await fixture.lies(storageKey)).toBe(false)
  expect(await fixture.complete(storageKey, video)).toMatchObject({ status: 400, body: { code: 'media_type' } })
})
