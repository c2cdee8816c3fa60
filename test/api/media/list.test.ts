import { expect, test } from 'vitest'
import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
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
  const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)
  return { ...fixture, ids, idsOf }
}

test('returns an empty page for an empty gallery', async () => {
  const { list } = await mediaService.open()
  expect(await list()).toEqual({ items: [], total: 0, limit: 50, offset: 0, hasMore: false })
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

test.each([
  'limit=0',
  'limit=201',
  'offset=-1',
  'limit=x',
  'cursor=a%23b',
  'page=2',
])('%s is refused', async (query) => {
  const { call } = await mediaService.open()
  expect((await call('GET', `?${query}`)).status).toBe(400)
})

test("cursor and offset can't be combined", async () => {
  const { call } = await mediaService.open()
  expect(await call('GET', '?cursor=med_1&offset=1')).toMatchObject({ status: 400, body: { field: 'cursor' } })
})
