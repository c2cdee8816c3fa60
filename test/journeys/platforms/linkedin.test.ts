import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkedinSeed } from '../../../infra/local/platforms/linkedin.ts'
import { posts } from '../../../shared/posts/lifecycle/row.ts'
import { minuteMs } from '../../../shared/time.ts'
import { pdf } from '../../media/documents.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'
import { uploadFile } from '../upload-file.ts'
import { clip, uploadVideo } from '../upload-video.ts'

let kit: Kit
let account: string
beforeAll(async () => {
  kit = await start()
  account = await connectOn(kit, 'linkedin')
}, 60_000)
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})

const onLinkedIn = (text: string) =>
  kit.platforms.published().filter((post) => post.platform === 'linkedin' && post.text === text)

const schedule = async (content: string, mediaUrls: string[] = []) => {
  const dueMs = kit.clock.now() + 12 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const body = { socialAccountIds: [account], content, mediaUrls, scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  return { id, dueMs }
}

test('the person is the account', async () => {
  expect((await kit.api.socialAccounts.list()).find(({ id }) => id === account)).toMatchObject({
    providerId: 'linkedin',
    username: null,
    displayName: 'Ada Demo',
  })
})

test('a text with every character that LinkedIn reserves is shown in full, on time', async () => {
  const text = 'Hello (world) #fun_times @ada [x] https://a.test/b_(c)#d *bold* ~ <3'
  const { id, dueMs } = await schedule(text)
  await kit.service.pass(13 * minuteMs)
  const [shown, ...more] = onLinkedIn(text)
  expect(more).toEqual([])
  expect(shown?.account).toBe('Ada Demo')
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown?.url,
    error: null,
  })
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeGreaterThanOrEqual(0)
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
})

test('images and a video are uploaded ahead of time', async () => {
  const bytes = clip(5_000_000)
  const [one, two] = [await uploadPng(kit), await uploadPng(kit)]
  const pictures = await schedule('Two pictures', [one.id, two.id])
  const film = await schedule('A film', [(await uploadVideo(kit, bytes)).id])
  await kit.service.pass(11 * minuteMs + 50_000)
  for (const { id } of [pictures, film]) {
    const row = await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })
    expect(row?.preparation).toMatchObject({ ready: { body: { author: 'urn:li:person:782bbtaQ' } } })
  }
  expect(onLinkedIn('A film')).toEqual([])
  await kit.service.pass(minuteMs)
  expect(onLinkedIn('Two pictures')[0]?.media).toHaveLength(2)
  const [shown] = onLinkedIn('A film')
  const sent = await fetch(shown?.media[0] ?? '')
  expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true)
  for (const { id } of [pictures, film]) {
    expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  }
})

test('a document is uploaded ahead of time, and shown with its title', async () => {
  const bytes = pdf(200_000)
  const mediaUrls = [await uploadFile(kit, 'application/pdf', bytes)]
  const metadata = { linkedin: { documentTitle: 'Ten loaves' } }
  const dueMs = kit.clock.now() + 12 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const body = { socialAccountIds: [account], content: 'A document', mediaUrls, metadata, scheduledAt }
  const [{ id = '' } = {}] = await kit.api.posts.schedule({ body })
  await kit.service.pass(11 * minuteMs + 50_000)
  const row = await posts.get(kit.ctx, { workspaceId: kit.workspaceId, id })
  expect(row?.preparation).toMatchObject({ ready: { body: { content: { media: { title: 'Ten loaves' } } } } })
  await kit.service.pass(minuteMs)
  const [shown, ...more] = onLinkedIn('A document')
  expect(more).toEqual([])
  const sent = await fetch(shown?.media[0] ?? '')
  expect(Buffer.from(await sent.arrayBuffer()).equals(bytes)).toBe(true)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: shown?.url,
  })
  expect(((shown?.publishedAt ?? 0) - dueMs) / 1000).toBeLessThan(1)
})

test('an article is published with the image that its author chose', async () => {
  const { id: thumbnailMediaAssetId } = await uploadPng(kit)
  const article = { url: 'https://bakery.example/rye', title: 'Rye', thumbnailMediaAssetId }
  const body = { socialAccountIds: [account], content: 'A card', metadata: { linkedin: { article } } }
  const unknown = { linkedin: { article: { ...article, thumbnailMediaAssetId: 'med_00000000000000000000000000' } } }
  expect((await kit.api.posts.validate({ body: { ...body, metadata: unknown } })).issues).toMatchObject([
    { code: 'media_not_found' },
  ])
  const [{ id = '' } = {}] = await kit.api.posts.publishNow({ body })
  await kit.service.pass(2 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  expect(onLinkedIn('A card\nRye\nhttps://bakery.example/rye')).toMatchObject([{ media: [expect.any(String)] }])
})

test('a post with an image published immediately is live as soon as LinkedIn has processed it', async () => {
  const body = { socialAccountIds: [account], content: 'Quick', mediaUrls: [(await uploadPng(kit)).id] }
  const [{ id = '' } = {}] = await kit.api.posts.publishNow({ body })
  await kit.service.pass(2 * minuteMs)
  expect(await kit.api.posts.get({ params: { id } })).toMatchObject({ status: 'published' })
  expect(onLinkedIn('Quick')).toHaveLength(1)
})

test('an app with page access offers the pages: each is an account, and one can be removed alone', async () => {
  const secrets = new SecretsManagerClient({})
  const scopes = 'w_organization_social r_organization_social rw_organization_admin'
  const SecretString = JSON.stringify({ ...linkedinSeed.app, scopes })
  const SecretId = `${kit.ctx.env('PLATFORM_SECRETS_PREFIX')}linkedin`
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }))
  secrets.destroy()
  // The app is read anew every five minutes.
  await kit.service.pass(6 * minuteMs)
  await connectOn(kit, 'linkedin')
  const pages = async () =>
    (await kit.api.socialAccounts.list()).filter(
      (account) => account.providerId === 'linkedin' && account.username !== null,
    )
  const [company, events, ...more] = (await pages()).toSorted((a, b) =>
    String(a.username).localeCompare(String(b.username)),
  )
  expect([company, events, more]).toMatchObject([
    { username: 'demo-company', displayName: 'Demo Company', isConnected: true },
    { username: 'demo-events', displayName: 'Demo Events', isConnected: true },
    [],
  ])
  await kit.sessionApi.socialAccounts.disconnect({ params: { id: events?.id ?? '' } })
  const body = { socialAccountIds: [account, company?.id ?? ''], content: 'For both' }
  const metadata = { linkedin: { visibility: 'CONNECTIONS' } }
  expect((await kit.api.posts.validate({ body: { ...body, metadata } })).issues).toMatchObject([
    { socialAccountId: company?.id, field: 'metadata.linkedin.visibility' },
  ])
  await kit.api.posts.publishNow({ body })
  await kit.service.pass(minuteMs)
  expect(
    onLinkedIn('For both')
      .map((post) => post.account)
      .toSorted(),
  ).toEqual(['Ada Demo', 'Demo Company'])
})

test('rejects invalid posts at schedule time', async () => {
  const { id: picture } = await uploadPng(kit)
  const { id: film } = await uploadVideo(kit, clip(80_000))
  const { id: tiny } = await uploadVideo(kit)
  const body = { socialAccountIds: [account], content: 'Hi' }
  const codes = async (more: object) => {
    const { issues } = await kit.api.posts.validate({ body: { ...body, ...more } })
    return issues.map(({ code }) => code)
  }
  expect(await codes({})).toEqual([])
  expect(await codes({ content: 'x'.repeat(3000) })).toEqual([])
  expect(await codes({ content: 'x'.repeat(3001) })).toEqual(['content_length'])
  expect(await codes({ content: '', mediaUrls: [picture] })).toEqual(['content_empty'])
  expect(await codes({ mediaUrls: [picture, film] })).toEqual(['media_type'])
  expect(await codes({ mediaUrls: [film, film] })).toEqual(['media_count'])
  expect(await codes({ mediaUrls: [tiny] })).toEqual(['media_size'])
})

test('a post sent again after an unknown outcome and then rejected may be live, and says so', async () => {
  const lost = { platform: 'linkedin', operation: 'create', times: 1, fault: 'landed_then_reset' } as const
  kit.platforms.faults.add([lost, { platform: 'linkedin', times: 1_000_000, fault: 'html_503' }])
  const { id } = await schedule('first words')
  await kit.service.pass(30 * minuteMs)
  kit.platforms.faults.clear()
  const read = () => kit.api.posts.get({ params: { id } })
  expect(await read()).toMatchObject({ status: 'failed', retrySafe: false })
  kit.platforms.faults.add({ platform: 'linkedin', operation: 'create', times: 1, fault: 'status', status: 400 })
  const scheduledAt = new Date(kit.clock.now() + 12 * minuteMs).toISOString()
  await kit.api.posts.reschedule({ params: { id }, body: { scheduledAt, content: 'second words' } })
  await kit.service.pass(13 * minuteMs)
  expect(onLinkedIn('first words')).toHaveLength(1)
  expect(await read()).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^LinkedIn rejected/),
    retrySafe: false,
  })
  expect(await kit.api.posts.delete({ params: { id } })).toEqual({ id, deleted: true, mayBeLive: true })
})
