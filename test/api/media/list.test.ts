import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
import { put } from '../../../shared/db/table.ts'
import { ulid } from '../../../shared/ids.ts'
import { assets } from '../../../shared/media/asset.ts'
import { countKeys } from '../../../shared/resources.ts'
import { gif } from '../../media/files.ts'
import { serveMedia } from './gallery.ts'

const mediaService = serveMedia()

const image = { bytes: gif(3, 4), mimeType: 'image/gif' }

async function startFilled(count: number) {
  const fixture = await mediaService.open()
  const ids: string[] = []
  // One after the other, so that their order is known.
  for (let n = 0; n < count; n += 1) {
    fixture.clock.pass(2)
    ids.unshift((await fixture.add(image)).body.data.id)
  }
  return { ...fixture, ids }
}

test('returns an empty page for an empty gallery', async () => {
  const { list } = await mediaService.open()
  expect(await list()).toEqual({ items: [], total: 0, totalIsExact: true, limit: 50, offset: 0, hasMore: false })
})

test('offset and cursor pages list every file once, newest first, with the exact total', async () => {
  const { list, ids, idsOf } = await startFilled(5)
  expect(await list()).toMatchObject({ total: 5, limit: 50, offset: 0, hasMore: false })
  expect(idsOf(await list())).toEqual(ids)
  const pages = await Promise.all([0, 2, 4, 5, 99].map((offset) => list(`?limit=2&offset=${offset}`)))
  expect(pages.map(idsOf)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4), [], []])
  expect(pages.map(({ hasMore, total }) => [hasMore, total])).toEqual([
    [true, 5],
    [true, 5],
    [false, 5],
    [false, 5],
    [false, 5],
  ])
  const walked: string[] = []
  let next: string | undefined
  do {
    const page = await list(`?limit=2${next ? `&cursor=${next}` : ''}`)
    walked.push(...idsOf(page))
    next = page.nextCursor
  } while (next)
  expect(walked).toEqual(ids)
})

test('a gallery lists no file of another workspace', async () => {
  const { list, ids, idsOf } = await startFilled(1)
  const other = await startFilled(1)
  expect(idsOf(await list())).toEqual(ids)
  const { status, body } = await other.call('GET', `/${ids[0]}`)
  expect([status, body.code, body.field]).toEqual([404, 'media_not_found', 'id'])
})

test('a page costs two parallel reads after the authorizing one', async () => {
  const { list } = await startFilled(3)
  const log: string[] = []
  const watcher = async <T>({ action, resource }: FunctionEffect, run: () => Promise<T>) => {
    // The call is counted concurrently with the first read.
    if (resource.endsWith(countKeys)) return run()
    log.push(`${action} starts`)
    const answer = await run()
    log.push(`${action} ends`)
    return answer
  }
  const page = await mediaService.watch(watcher, () => list('?limit=2'))
  expect(page).toMatchObject({ total: 3, hasMore: true })
  expect(log.splice(0, 2)).toEqual(['BatchGetItem starts', 'BatchGetItem ends'])
  expect(log.slice(0, 2).sort()).toEqual(['BatchGetItem starts', 'Query starts'])
  expect(log.slice(2).sort()).toEqual(['BatchGetItem ends', 'Query ends'])
})

test('a library is searched by kind, by words of the name and the alt text, and by the bytes', async () => {
  const { add, call, clock, list, idsOf } = await mediaService.open()
  const added = async (file: { bytes: Buffer; mimeType: string }, over: object) => {
    clock.pass(1)
    return (await add(file, over)).body.data.id
  }
  const loaf = await added(image, { originalFilename: 'Laib.gif', altText: 'Ein BRÖTCHEN' })
  const captions = { bytes: Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n'), mimeType: 'text/vtt' }
  const subtitles = await added(captions, { originalFilename: 'brötchen.vtt' })
  const content = gif(5, 6)
  clock.pass(1)
  const sent = await call('POST', '', { content: content.toString('base64'), filename: 'Oven.gif' })
  const sha256 = createHash('sha256').update(content).digest('hex')
  expect(sent.body.data.sha256).toBe(sha256)
  const idsFor = async (query: string) => idsOf(await list(`?${query}`))
  expect(await idsFor('kind=image')).toEqual([sent.body.data.id, loaf])
  expect(await idsFor('kind=captions')).toEqual([subtitles])
  expect(await idsFor('kind=video')).toEqual([])
  expect(await idsFor(`q=${encodeURIComponent('bro\u0308tchen')}`)).toEqual([subtitles, loaf])
  expect(await idsFor('q=laib&kind=captions')).toEqual([])
  expect(await idsFor(`sha256=${sha256}`)).toEqual([sent.body.data.id])
  expect(await idsFor(`sha256=${'0'.repeat(64)}`)).toEqual([])
  const first = await list('?kind=image&limit=1')
  expect(first).toMatchObject({ total: 2, totalIsExact: true, hasMore: true, nextCursor: sent.body.data.id })
  const second = await list(`?kind=image&limit=1&cursor=${first.nextCursor}`)
  expect([idsOf(second), second.hasMore, second.nextCursor]).toEqual([[loaf], false, undefined])
  expect((await call('GET', '?kind=image&offset=1')).body).toMatchObject({ code: 'invalid_input', field: 'offset' })
})

test('a match behind more files than a request reads is found by following the pages', async () => {
  const { add, list, ctx, clock, workspaceId, idsOf } = await mediaService.open()
  const { data } = (await add(image, { originalFilename: 'needle.gif' })).body
  const row = await assets.get(ctx, { workspaceId, id: data.id })
  if (row === undefined) throw new Error('the file has no row')
  for (let n = 0; n < 2_000; n += 1) {
    clock.pass(1)
    await put(ctx, assets.item({ ...row, id: `med_${ulid(clock.now())}`, originalFilename: 'hay.gif' }))
  }
  const page = await list('?q=needle')
  expect(page).toMatchObject({ items: [], totalIsExact: false, hasMore: true })
  expect(idsOf(await list(`?q=needle&cursor=${page.nextCursor}`))).toEqual([data.id])
})

test.each([
  'limit=0',
  'limit=201',
  'offset=-1',
  'limit=x',
  'cursor=a%23b',
  'page=2',
  'kind=audio',
  'q=',
  'sha256=ABC',
])('%s is refused', async (query) => {
  const { call } = await mediaService.open()
  expect((await call('GET', `?${query}`)).status).toBe(400)
})

test("cursor and offset can't be combined", async () => {
  const { call } = await mediaService.open()
  expect(await call('GET', '?cursor=med_1&offset=1')).toMatchObject({ status: 400, body: { field: 'cursor' } })
})
