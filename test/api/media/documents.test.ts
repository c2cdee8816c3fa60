import { beforeAll, expect, test } from 'vitest'
import { srt, vtt } from '../../media/captions.ts'
import { docx, oldDoc, oldPpt, pdf, pptx } from '../../media/documents.ts'
import { type MediaFixture, serveMedia } from './gallery.ts'

const mediaService = serveMedia()
let fixture: MediaFixture
beforeAll(async () => {
  fixture = await mediaService.open()
})

test.each([
  ['application/pdf', 'pdf', pdf(300_000)],
  ['application/msword', 'doc', oldDoc()],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx', docx()],
  ['application/vnd.ms-powerpoint', 'ppt', oldPpt()],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx', pptx()],
])('a file of %s is stored without a preview, and browsers save it', async (mimeType, ending, bytes) => {
  const storageKey = await fixture.upload({ bytes, mimeType })
  const { status, body } = await fixture.complete(storageKey, { bytes, mimeType })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ mimeType, fileSize: bytes.length, storageKey, previewUrl: body.data.url })
  expect(Object.keys(body.data)).not.toContain('width')
  expect(storageKey).toMatch(new RegExp(`\\.${ending}$`))
  const shown = await fetch(body.data.url)
  expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': mimeType,
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  })
  await fixture.service.drain()
  expect((await fixture.call('GET', `/${body.data.id}`)).body).toEqual(body)
  expect(await fixture.call('DELETE', `/${body.data.id}`)).toMatchObject({ status: 200 })
})

test.each([
  ['text/vtt', 'vtt', vtt],
  ['application/x-subrip', 'srt', srt],
])('captions of %s are stored, and browsers save them', async (mimeType, ending, text) => {
  const bytes = Buffer.from(text)
  const storageKey = await fixture.upload({ bytes, mimeType })
  const { status, body } = await fixture.complete(storageKey, { bytes, mimeType })
  expect([status, body.data.mimeType, storageKey.split('.').at(-1)]).toEqual([201, mimeType, ending])
  const shown = await fetch(body.data.url)
  expect([await shown.text(), shown.headers.get('content-disposition')]).toEqual([text, 'attachment'])
})

test.each([
  ['without a cue', Buffer.from('WEBVTT\n\nNOTE nothing\n'), 'media_damaged'],
  ['that are not UTF-8', Buffer.from(vtt, 'latin1'), 'media_damaged'],
])('captions %s are refused, and deleted', async (_, bytes, code) => {
  const file = { bytes, mimeType: 'text/vtt' }
  const storageKey = await fixture.upload(file)
  expect(await fixture.complete(storageKey, file)).toMatchObject({ status: 400, body: { code } })
  expect(await fixture.waits(storageKey)).toBe(false)
})

test('captions have at most 1 MB', async () => {
  const file = { filename: 'a.vtt', mimeType: 'text/vtt' }
  const statusOf = async (fileSize: number) => (await fixture.call('POST', '/upload-url', { ...file, fileSize })).status
  expect(await Promise.all([999_999, 1_000_000, 1_000_001].map(statusOf))).toEqual([200, 200, 400])
})

test('a document has at most 100 MB, and no duration', async () => {
  const file = { filename: 'a.pdf', mimeType: 'application/pdf' }
  const statusOf = async (fileSize: number) => (await fixture.call('POST', '/upload-url', { ...file, fileSize })).status
  expect(await Promise.all([99_999_999, 100_000_000, 100_000_001].map(statusOf))).toEqual([200, 200, 400])
  const bytes = pdf()
  const document = { bytes, mimeType: file.mimeType }
  const storageKey = await fixture.upload(document)
  const { body } = await fixture.complete(storageKey, document, { duration: 5 })
  expect(body.data).toMatchObject({ mimeType: file.mimeType })
  expect(Object.keys(body.data)).not.toContain('duration')
})

test('a document that is none is refused, and deleted', async () => {
  const file = { bytes: Buffer.from('%PDF-1.7 and no end'), mimeType: 'application/pdf' }
  const storageKey = await fixture.upload(file)
  expect(await fixture.complete(storageKey, file)).toMatchObject({ status: 400, body: { code: 'media_truncated' } })
  expect(await fixture.waits(storageKey)).toBe(false)
})
