import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { docx, oldDoc, oldPpt, pdf, pptx, zip } from '../documents.ts'
import { filesIn, type ImportFixture, imported, startImportFixture } from './origin.ts'

let fixture: ImportFixture
let linkedin: string
beforeAll(async () => {
  fixture = await startImportFixture()
  linkedin = await connectOn(fixture.kit, 'linkedin')
  await fixture.kit.service.drain()
}, 120_000)
afterAll(() => fixture.close())

const schedule = async (bytes: Buffer, path: string, account = linkedin) => {
  const { kit, origin, answers } = fixture
  answers.set(path, (_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes))
  const metadata = { linkedin: { documentTitle: 'A title' } }
  const scheduledAt = new Date(kit.clock.now() + hourMs).toISOString()
  const body = {
    socialAccountIds: [account],
    content: `From ${path}`,
    metadata,
    mediaUrls: [origin + path],
    scheduledAt,
  }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  await kit.service.drain()
  return id
}

test('a document at an address is found out by its bytes, and published', async () => {
  const { kit } = fixture
  const files = [
    ['application/pdf', pdf()],
    ['application/msword', oldDoc()],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', docx()],
    ['application/vnd.ms-powerpoint', oldPpt()],
    ['application/vnd.openxmlformats-officedocument.presentationml.presentation', pptx()],
  ] as const
  const ids: string[] = []
  for (const [n, [mimeType, bytes]] of files.entries()) {
    const id = await schedule(bytes, `/document-${n}`)
    const { imports: [file] = [] } = await imported(kit, id)
    expect(file).toMatchObject({ status: 'ready' })
    expect(await kit.api.media.get({ params: { id: file?.mediaId ?? '' } })).toMatchObject({ mimeType })
    ids.push(id)
  }
  expect((await filesIn(kit)).filter((key) => key.startsWith('incoming/'))).toEqual([])
  await kit.service.pass(hourMs + 2 * minuteMs)
  for (const id of ids) expect(await imported(kit, id)).toMatchObject({ status: 'published' })
})

test('an archive that is no document is refused by name, and removed', async () => {
  const id = await schedule(zip({ 'a.txt': 'hello' }), '/archive')
  const error = expect.stringMatching(
    /is a ZIP archive\. It must be a .*, a PDF, Word, or PowerPoint document, or a WebVTT or SubRip caption file\.$/,
  )
  expect((await imported(fixture.kit, id)).imports).toMatchObject([{ status: 'failed', error }])
  expect((await filesIn(fixture.kit)).filter((key) => key.startsWith('incoming/'))).toEqual([])
})

test('a platform that takes no documents says so when the file is fetched', async () => {
  const id = await schedule(pdf(), '/for-bluesky', fixture.kit.accounts.bluesky)
  expect(await imported(fixture.kit, id)).toMatchObject({
    imports: [{ status: 'ready' }],
    mediaError: expect.stringContaining('for-bluesky.pdf is application/pdf'),
  })
})
