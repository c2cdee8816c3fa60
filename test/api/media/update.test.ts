import { expect, test } from 'vitest'
import { gif } from '../../media/files.ts'
import { serveMedia } from './gallery.ts'

const mediaService = serveMedia()

const image = { bytes: gif(3, 4), mimeType: 'image/gif' }

test('the text of a file changes, an empty one removes it, and nothing else changes', async () => {
  const { add, call } = await mediaService.open()
  const { data: file } = (await add(image, { altText: 'Before' })).body
  const changed = await call('PATCH', `/${file.id}`, { altText: 'After' })
  expect([changed.status, changed.body.data]).toEqual([200, { ...file, altText: 'After' }])
  expect((await call('GET', `/${file.id}`)).body.data).toEqual({ ...file, altText: 'After' })
  for (const altText of ['', null]) {
    await call('PATCH', `/${file.id}`, { altText: 'Again' })
    expect((await call('PATCH', `/${file.id}`, { altText })).body.data.altText).toBeNull()
  }
})

test.each([
  [{}],
  [{ altText: 'x'.repeat(2001) }],
  [{ altText: 'A', originalFilename: 'other.gif' }],
  [{ altText: 1 }],
])('a body that is not a text alone is refused: %j', async (body) => {
  const { add, call } = await mediaService.open()
  const { id } = (await add(image)).body.data
  expect((await call('PATCH', `/${id}`, body)).status).toBe(400)
})

test('a file that was deleted is not found, and does not come back', async () => {
  const { add, call, list } = await mediaService.open()
  const { id } = (await add(image)).body.data
  await call('DELETE', `/${id}`)
  const { status, body } = await call('PATCH', `/${id}`, { altText: 'Back' })
  expect([status, body.code]).toEqual([404, 'media_not_found'])
  expect((await list()).total).toBe(0)
})
