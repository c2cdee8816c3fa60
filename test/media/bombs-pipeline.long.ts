import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { equal } from '../../shared/db/expression.ts'
import { queryAll } from '../../shared/db/table.ts'
import { assets } from '../../shared/media/asset.ts'
import { jobsPartitionOf } from '../../shared/media/job.ts'
import type { MediaType } from '../../shared/media/types.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { makePerson } from '../support/world/preparations.ts'
import { filmBombs } from './bombs/film.ts'
import { gifBombs } from './bombs/gif.ts'
import { jpegBombs, scansJpeg } from './bombs/jpeg.ts'
import { pngBombs } from './bombs/png.ts'
import { webpBombs } from './bombs/webp.ts'
import { noise } from './pictures.ts'

/** What make-preview and the publishers have read and written in the bucket. */
const files: { functionName: string; action: string }[] = []

let kit: Kit
beforeAll(async () => {
  kit = await start({
    observe: ({ functionName, service, action }, run) => {
      if (service === 's3') files.push({ functionName, action })
      return run()
    },
  })
})
afterAll(() => kit.close())

const complete = async (bytes: Buffer, mimeType: MediaType, filename: string) => {
  const fileInfo = { mimeType, fileSize: bytes.byteLength }
  const { uploadUrl, storageKey } = await kit.api.media.createUploadUrl({ body: { filename, ...fileInfo } })
  await fetch(uploadUrl, { method: 'PUT', headers: { 'Content-Type': mimeType }, body: new Uint8Array(bytes) })
  const answer = await fetch(`${kit.url}/api/media/complete`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${kit.pat}`,
      'X-Workspace-Id': kit.workspaceId,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ storageKey, originalFilename: filename, ...fileInfo }),
  })
  return { status: answer.status, storageKey, body: JSON.parse(await answer.text()) }
}

/** Signs a user in repeatedly while something runs; returns the longest response time in seconds. */
const signInsWhile = async (run: () => Promise<unknown>) => {
  const person = await makePerson(kit)
  const { auth } = client({ baseUrl: kit.url })
  let isOver = false
  const running = run().finally(() => {
    isOver = true
  })
  running.catch(() => undefined)
  const tookSeconds: number[] = []
  do {
    const startedAt = performance.now()
    expect((await auth.signIn({ body: person })).token).toMatch(/^svc_ses_/)
    tookSeconds.push((performance.now() - startedAt) / 1000)
  } while (!isOver)
  await running
  return { signIns: tookSeconds.length, longest: Math.max(...tookSeconds) }
}

/** A sign-in costs a tenth of a second of processor time; a busy machine makes it longer, a taken thread pool far more. */
const maxSeconds = 8

test('rejects JPEGs of 20,000 scans from six users, without delaying a sign-in', async () => {
  const bomb = scansJpeg(4096, 4096, 20_000)
  const { longest } = await signInsWhile(async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => complete(bomb, 'image/jpeg', `bomb-${n}.jpg`)))
    for (const { status, body } of answers) {
      expect([status, body.code, body.field]).toEqual([400, 'media_complex', 'storageKey'])
      expect(body.error).toBe(
        'The uploaded file is a JPEG with more than 100 scans. Save it again with another program, then upload that file.',
      )
    }
    await kit.service.drain()
  })
  expect(longest).toBeLessThan(maxSeconds)
})

test('creates previews of six of the heaviest accepted images, without delaying a sign-in', async () => {
  const heavy = scansJpeg(9984, 9984, 100)
  const { longest } = await signInsWhile(async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => complete(heavy, 'image/jpeg', `heavy-${n}.jpg`)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    await kit.service.deliver({ together: true })
    for (const { body } of answers) {
      const { previewUrl } = await kit.api.media.get({ params: { id: body.data.id } })
      expect(previewUrl).toMatch(/\.webp$/)
    }
  })
  expect(longest).toBeLessThan(maxSeconds)
})

/** Small enough to send all of them; the others are looked at in `bombs.test.ts`. */
const smallBytes = 2_000_000
const bombs = [...jpegBombs, ...pngBombs, ...gifBombs, ...webpBombs, ...filmBombs]

test('any upload is accepted or rejected with a message, and an accepted file has a preview or the reason why not', async () => {
  const taken: { name: string; id: string }[] = []
  for (const { name, mimeType, make, ends } of bombs) {
    const bytes = make()
    if (bytes.length > smallBytes) continue
    const { status, body } = await complete(bytes, mimeType, 'a file')
    expect([name, status, body.code ?? 'taken']).toEqual([name, ends === 'taken' ? 201 : 400, ends])
    if (status !== 201) expect(body.error).toMatch(/\.$/)
    else if (mimeType.startsWith('image/')) taken.push({ name, id: body.data.id })
  }
  expect(taken.length).toBeGreaterThan(5)
  await kit.service.drain()
  for (const { name, id } of taken) {
    const { previewKey, previewError } = (await assets.get(kit.ctx, { workspaceId: kit.workspaceId, id })) ?? {}
    expect([name, previewKey ?? previewError]).toEqual([
      name,
      expect.stringMatching(/\.webp$|^(the|reading the) image /),
    ])
  }
  expect((await fetch(`${kit.url}/api/health`)).status).toBe(200)
}, 120_000)

test('an image that would take minutes to decode has no preview, and its post fails with a message', async () => {
  const { body, storageKey } = await complete(await noise(900, 700).png().toBuffer(), 'image/png', 'holiday.png')
  const { id } = body.data
  // It was accepted before scans were counted.
  const s3 = new S3Client({})
  const Bucket = kit.ctx.env('MEDIA_BUCKET')
  await s3.send(new PutObjectCommand({ Bucket, Key: storageKey, Body: scansJpeg(2048, 2048, 60_000) }))
  s3.destroy()
  const schedule = async () => {
    const scheduledAt = new Date(kit.clock.now() + 10 * minuteMs).toISOString()
    const post = { socialAccountIds: [kit.accounts.bluesky], content: 'A holiday', mediaUrls: [id], scheduledAt }
    const [made] = await kit.api.posts.schedule({ body: post })
    return made?.id ?? ''
  }
  files.length = 0
  const first = await schedule()
  await kit.service.pass(15 * minuteMs)
  const failed = {
    status: 'failed',
    error:
      'holiday.png takes too long to convert. Save it again with another program, upload that file, then reschedule the post.',
  }
  expect(await kit.api.posts.get({ params: { id: first } })).toMatchObject(failed)
  expect(await assets.get(kit.ctx, { workspaceId: kit.workspaceId, id })).toMatchObject({
    previewError: 'reading the image takes too long',
  })
  expect(await queryAll(kit.ctx, { key: equal('PK', jobsPartitionOf(kit.workspaceId)) })).toEqual([])
  // Once for the preview and once for the post; the next post fails immediately.
  const second = await schedule()
  await kit.service.pass(15 * minuteMs)
  expect(await kit.api.posts.get({ params: { id: second } })).toMatchObject(failed)
  expect(files.filter(({ action }) => action === 'GetObject').map(({ functionName }) => functionName)).toEqual([
    'make-preview',
    'prepare-post',
  ])
}, 120_000)
