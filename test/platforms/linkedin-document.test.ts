import { expect, test } from 'vitest'
import { documentTypes } from '../../shared/media/types.ts'
import type { MediaRule } from '../../shared/platforms/definition.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { definition } from '../../shared/platforms/linkedin/definition.ts'
import { linkedin } from '../../shared/platforms/linkedin/publish.ts'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { pdf } from '../media/documents.ts'
import { anyPicture, anyVideo } from './any-file.ts'
import { visitLinkedIn } from './linkedin-visit.ts'
import { failureOf } from './site.ts'

const { site, platforms, sentTo, operations, fault, open, openPage, waiting, prepared, commit, through, probe } =
  await visitLinkedIn()

const mimeType = 'application/pdf'
const metadata = { documentTitle: 'Ten loaves' }
const file = (bytes: Buffer = pdf(100_000)) => site.file({ mimeType, originalFilename: 'loaves.pdf' }, bytes)
const bodyOf = (operation: string) => JSON.parse(String(sentTo(operation)[0]?.body))

test('a document is uploaded ahead, waited for, and published with its title in one call', async () => {
  const bytes = pdf(100_000)
  const call = await open({ text: 'Swipe (left)', media: [await file(bytes)], metadata })
  const { ready, waits } = await through(call)
  expect(waits).toEqual([5])
  expect(operations()).toEqual(['authorize', 'login', 'profile', 'init', 'upload', 'status'])
  expect(sentTo('init')[0]).toMatchObject({ method: 'POST', path: '/rest/documents', query: 'action=initializeUpload' })
  expect(bodyOf('init')).toEqual({ initializeUploadRequest: { owner: 'urn:li:person:782bbtaQ' } })
  const [put] = sentTo('upload')
  expect(put).toMatchObject({ method: 'PUT', query: 'm=x%3D', status: 201 })
  expect(put?.headers).toMatchObject({
    authorization: `Bearer ${call.account.credentials['accessToken']}`,
    'content-type': mimeType,
  })
  const landed = await commit(call, ready)
  const { content, commentary } = bodyOf('create')
  expect(commentary).toBe('Swipe \\(left\\)')
  expect(content).toEqual({ media: { id: expect.stringMatching(/^urn:li:document:/), title: 'Ten loaves' } })
  expect(sentTo('status')[0]?.path).toBe(`/rest/documents/${encodeURIComponent(content.media.id)}`)
  const [shown, ...more] = platforms.published()
  expect(more).toEqual([])
  expect(shown).toMatchObject({ text: 'Swipe (left)', url: landed.url })
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer()).equals(bytes)).toBe(true)
})

test('a document without a readable status is given half a minute', async () => {
  const call = await open({ media: [await file()], metadata })
  const { resume } = await waiting(call)
  site.pass(5000)
  fault({ operation: 'status', fault: 'status', status: 403, times: 2 })
  const hidden = await waiting(call, resume)
  expect(hidden).toMatchObject({ waitSeconds: 30, resume: { waited: true } })
  await commit(call, (await prepared(call, hidden.resume)).ready)
  expect(platforms.published()).toHaveLength(1)
})

test('a document that LinkedIn cannot process is rejected, one in processing is waited for', async () => {
  const call = await openPage({ media: [await file()], metadata })
  const { resume } = await waiting(call)
  fault({ operation: 'status', fault: 'status', status: 200, body: { status: 'PROCESSING' } })
  expect(await waiting(call, resume)).toEqual({ waitSeconds: 10, resume })
  const body = { status: 'PROCESSING_FAILED', processingFailureReason: 'more than 300 pages' }
  fault({ operation: 'status', fault: 'status', status: 200, body })
  expect(await failureOf(waiting(call, resume))).toMatchObject({
    errorClass: 'invalid',
    message: 'LinkedIn could not process the media: more than 300 pages.',
  })
})

test('an upload that fails is made again, and a lost publishing call is not', async () => {
  const call = await open({ media: [await file()], metadata })
  fault({ operation: 'upload', fault: 'status', status: 500 })
  expect(await failureOf(waiting(call))).toMatchObject({ errorClass: 'transient' })
  const { ready } = await through(call)
  fault({ fault: 'landed_then_reset' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  expect(await probe(call, ready, 1000)).toEqual({ kind: 'unclear' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'duplicate' })
  expect(platforms.published()).toHaveLength(1)
})

test('LinkedIn itself takes no document without a title', async () => {
  const call = await open({ media: [await file()], metadata: {} })
  const { ready } = await through(call)
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'invalid' })
})

const anyDocument = (more: object = {}) => anyPicture({ mimeType, originalFilename: 'a.pdf', ...more })
const check = (block: object | undefined, media: readonly ReturnType<typeof anyPicture>[]) =>
  checkPost(linkedin, { socialAccountId: 'acc', content: 'Hi', metadata: block, media })
const codes = (...given: Parameters<typeof check>) => check(...given).map(({ code }) => code)

test('one document of each type, up to 100 MB, alone', () => {
  for (const type of documentTypes) expect(codes(metadata, [anyDocument({ mimeType: type })])).toEqual([])
  const sized = (fileSize: number) => codes(metadata, [anyDocument({ fileSize })])
  expect([99_999_999, 100_000_000, 100_000_001].map(sized)).toEqual([[], [], ['media_size']])
  expect(codes(metadata, [anyDocument(), anyDocument()])).toEqual(['media_count'])
  for (const other of [anyPicture(), anyVideo({ fileSize: 80_000 })]) {
    expect(codes(metadata, [anyDocument(), other])).toEqual(['media_type'])
  }
})

test('a document has a title of 1 to 100 characters, and nothing else has one', () => {
  const titled = (documentTitle: unknown) => codes({ documentTitle }, [anyDocument()])
  expect(['x', 'x'.repeat(99), 'x'.repeat(100), 'x'.repeat(101)].map(titled)).toEqual([
    [],
    [],
    [],
    ['metadata_invalid'],
  ])
  for (const wrong of ['', ' ', 7, null]) expect(titled(wrong)).toEqual(['metadata_invalid'])
  for (const block of [undefined, {}]) {
    expect(check(block, [anyDocument()])).toMatchObject([
      { code: 'metadata_required', field: 'metadata.linkedin.documentTitle', next: 'Send a title of the document.' },
    ])
  }
  for (const media of [[], [anyPicture()]]) {
    expect(check(metadata, media)).toMatchObject([
      { code: 'metadata_invalid', field: 'metadata.linkedin.documentTitle' },
    ])
  }
})

test('no other platform accepts a document', () => {
  for (const other of definitions.filter(({ id }) => id !== definition.id)) {
    for (const { when = {}, tier } of other.rules.media as readonly MediaRule[]) {
      const metadata = Object.fromEntries(Object.entries(when).map(([field, [value]]) => [field, value]))
      const post = { socialAccountId: 'acc', content: 'Hi', metadata, tier, media: [anyDocument()] }
      const issues = checkPost(other, post).filter(({ code }) => code === 'media_type')
      const next = expect.stringContaining('Attach only types that')
      expect([other.id, issues]).toMatchObject([
        other.id,
        [{ message: `${other.name}: a.pdf is application/pdf.`, next }],
      ])
    }
  }
})
