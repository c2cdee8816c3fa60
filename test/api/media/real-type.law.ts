import { beforeAll, expect, test } from 'vitest'
import { type MediaType, mediaTypes } from '../../../shared/media/types.ts'
import { srt, vtt } from '../../media/captions.ts'
import { clip } from '../../media/clips.ts'
import { docx, oldDoc, oldPpt, pdf, pptx } from '../../media/documents.ts'
import { gif, jpeg, png, webp } from '../../media/files.ts'
import { type MediaFixture, serveMedia } from './gallery.ts'

const mediaService = serveMedia()
let fixture: MediaFixture
beforeAll(async () => {
  fixture = await mediaService.open()
})

/** A file of each type, with the ending of its name. */
const files: Readonly<Record<MediaType, readonly [ending: string, bytes: Buffer]>> = {
  'image/jpeg': ['jpg', jpeg(30, 20)],
  'image/png': ['png', png(30, 20)],
  'image/gif': ['gif', gif(30, 20)],
  'image/webp': ['webp', webp.lossy(30, 20)],
  'video/mp4': ['mp4', clip()],
  'video/quicktime': ['mov', clip({ brand: 'qt  ' })],
  'application/pdf': ['pdf', pdf()],
  'application/msword': ['doc', oldDoc()],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx', docx()],
  'application/vnd.ms-powerpoint': ['ppt', oldPpt()],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx', pptx()],
  'text/vtt': ['vtt', Buffer.from(vtt)],
  'application/x-subrip': ['srt', Buffer.from(srt)],
}

test.each(
  mediaTypes,
)('a file that is declared as %s is what its bytes are, with the ending of that', async (declared) => {
  for (const [mimeType, [ending, bytes]] of Object.entries(files)) {
    const storageKey = await fixture.upload({ bytes, mimeType: declared })
    const named = { originalFilename: `holiday.${files[declared][0]}` }
    const { status, body } = await fixture.complete(storageKey, { bytes, mimeType: declared }, named)
    expect([mimeType, status, body.data?.mimeType, body.data?.originalFilename]).toEqual([
      ...[mimeType, 201, mimeType, `holiday.${ending}`],
    ])
    expect(body.data.storageKey).toBe(storageKey.replace(/\w+$/, ending))
    const shown = await fetch(body.data.url)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, mimeType])
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
    // A repeat, and each form of reference, names the same file.
    expect((await fixture.complete(storageKey, { bytes, mimeType: declared }, named)).body).toEqual(body)
    expect([await fixture.waits(storageKey), await fixture.lies(body.data.storageKey)]).toEqual([false, true])
    expect((await fixture.call('DELETE', `/${body.data.id}`)).status).toBe(200)
    expect(await fixture.lies(body.data.storageKey)).toBe(false)
  }
})

test('a name keeps another ending of its type, and one that says nothing of a type', async () => {
  const nameOf = async (originalFilename: string, mimeType: MediaType) =>
    (await fixture.add({ bytes: files[mimeType][1], mimeType }, { originalFilename })).body.data.originalFilename
  expect(await nameOf('A.JPEG', 'image/jpeg')).toBe('A.JPEG')
  expect(await nameOf('a.jfif', 'image/jpeg')).toBe('a.jfif')
  expect(await nameOf('IMG_1.HEIC', 'image/jpeg')).toBe('IMG_1.jpg')
  expect(await nameOf('v1.2', 'image/png')).toBe('v1.2')
  expect(await nameOf('a file', 'image/png')).toBe('a file')
  expect(await nameOf('a.constructor', 'image/png')).toBe('a.constructor')
})

test('a file has the limits of its real type', async () => {
  const padded = (bytes: Buffer, size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
  const photo = { bytes: padded(jpeg(3, 4), 50_000_001), mimeType: 'video/mp4' }
  const storageKey = await fixture.upload(photo)
  const { status, body } = await fixture.complete(storageKey, photo)
  expect([status, body.code, body.field]).toEqual([400, 'media_size', 'storageKey'])
  expect(body.error).toBe('The uploaded file has 50000001 bytes. Send at most 50000000 for image/jpeg.')
  expect(await fixture.waits(storageKey)).toBe(false)
  const captions = {
    bytes: Buffer.concat([Buffer.from(srt), Buffer.alloc(1_000_000, 10)]),
    mimeType: 'application/pdf',
  }
  expect((await fixture.add(captions)).body).toMatchObject({ code: 'media_size', field: 'storageKey' })
  const film = { bytes: clip(), mimeType: 'image/png' }
  expect((await fixture.add(film, { duration: 5 })).body.data).toMatchObject({ mimeType: 'video/mp4' })
})

test('a file of another type at the same address waits until the copy of the first one is gone', async () => {
  const first = { bytes: png(30, 20), mimeType: 'image/gif' }
  const second = Buffer.concat([jpeg(3, 4), Buffer.alloc(100)]).subarray(0, first.bytes.length)
  const { uploadUrl, storageKey } = (await fixture.requestUploadUrl(first)).body.data
  const put = (bytes: Buffer) =>
    fetch(uploadUrl, { method: 'PUT', headers: { 'Content-Type': 'image/gif' }, body: new Uint8Array(bytes) })
  await put(first.bytes)
  const die = <T>({ functionName, action }: { functionName: string; action: string }, run: () => Promise<T>) => {
    if (functionName === 'media-complete' && action === 'TransactWriteItems') throw new Error('dead')
    return run()
  }
  expect((await mediaService.watch(die, () => fixture.complete(storageKey, first))).status).toBeGreaterThanOrEqual(500)
  const copy = storageKey.replace('.gif', '.png')
  expect(await fixture.lies(copy)).toBe(true)
  await put(second)
  const fenced = { status: 409, body: { code: 'media_deletion_in_progress' } }
  expect(await fixture.complete(storageKey, first)).toMatchObject(fenced)
  await fixture.service.pass(180_000)
  expect(await fixture.lies(copy)).toBe(false)
  expect((await fixture.complete(storageKey, first)).body.data).toMatchObject({ mimeType: 'image/jpeg' })
})
