import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, expect, test } from 'vitest'
import { tiktokSeed } from '../../infra/local/platforms/tiktok.ts'
import { endsConnection } from '../../shared/platforms/platform-error.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { tiktok as connector } from '../../shared/platforms/tiktok/connect.ts'
import { tiktok } from '../../shared/platforms/tiktok/publish.ts'
import { jpeg } from '../media/files.ts'
import { failureOf } from './site.ts'
import { visit } from './visit.ts'

const { site, platforms, operations, sentTo, fault, prepared, commit, probe, ...own } = await visit(tiktok, connector)

const secrets = new SecretsManagerClient({})
const grantScopes = (scopes: string) => {
  const SecretString = JSON.stringify({ ...tiktokSeed.app, scopes })
  return secrets.send(new PutSecretValueCommand({ SecretId: 'platforms/tiktok', SecretString }))
}
afterAll(() => secrets.destroy())

const draft = { privacyLevel: 'PUBLIC_TO_EVERYONE', postMode: 'MEDIA_UPLOAD' }
const open = (post: Partial<OutgoingPost> = {}) => own.open({ text: 'A clip', metadata: draft, ...post })
const photos = async () => ({
  metadata: { ...draft, format: 'photo', photoTitle: 'Loaves' },
  media: [await site.file({ mimeType: 'image/jpeg' }, jpeg(40, 30))],
})
const inInbox = { id: null, url: null, warning: expect.stringMatching(/^It is a draft in the TikTok inbox/) }

test('a video goes to the inbox: no settings are read or sent, and a warning says where the draft is', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  expect(operations()).not.toContain('creator')
  const [sent] = sentTo('init')
  expect([sent?.method, sent?.path, sent?.status]).toEqual(['POST', '/v2/post/publish/inbox/video/init/', 200])
  const size = call.post.media[0]?.fileSize
  expect(JSON.parse(String(sent?.body))).toEqual({
    source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: size, total_chunk_count: 1 },
  })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  expect(await probe(call, ready)).toEqual({ kind: 'unclear' })
  site.pass(5_000)
  expect(await probe(call, ready)).toEqual({ kind: 'published', ...inInbox })
  expect(platforms.published()).toEqual([])
})

test('a lost response is settled by the publish ID, and the same upload makes no second draft', async () => {
  const call = await open()
  const { ready } = await prepared(call)
  expect(await probe(call, ready)).toEqual({ kind: 'absent' })
  fault({ operation: 'create', fault: 'landed_then_reset' })
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  site.pass(5_000)
  expect(await probe(call, ready)).toEqual({ kind: 'published', ...inInbox })
  expect(await commit(call, ready)).toEqual(inInbox)
  expect(sentTo('init')).toHaveLength(1)
})

test('photos go to the inbox with their title and text alone', async () => {
  const call = await open(await photos())
  const { ready } = await prepared(call)
  expect(operations()).not.toContain('creator')
  const error = await failureOf(commit(call, ready))
  expect(JSON.parse(String(sentTo('create')[0]?.body))).toEqual({
    media_type: 'PHOTO',
    post_mode: 'MEDIA_UPLOAD',
    post_info: { title: 'Loaves', description: 'A clip' },
    source_info: { source: 'PULL_FROM_URL', photo_images: [expect.any(String)], photo_cover_index: 0 },
  })
  site.pass(5_000)
  expect(await probe(call, error.info.ref ?? {})).toEqual({ kind: 'published', ...inInbox })
  expect(platforms.published()).toEqual([])
})

test('five drafts wait in an inbox; the sixth waits for tomorrow', async () => {
  const call = await open()
  for (let n = 0; n < 5; n += 1) await prepared(call)
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'quota' })
  site.pass(86_400_000)
  await prepared(await open())
})

test('an account without the scope stays connected, publishes, and a draft says what is missing', async () => {
  await grantScopes('')
  const call = await open()
  const ofPhotos = await open(await photos())
  await grantScopes(tiktokSeed.app.scopes)
  const { ready } = await prepared(ofPhotos)
  for (const failure of [await failureOf(prepared(call)), await failureOf(commit(ofPhotos, ready))]) {
    expect(failure).toMatchObject({ errorClass: 'permission', message: expect.stringContaining('Reconnect') })
    expect(endsConnection(failure)).toBe(false)
  }
  await prepared({ ...call, post: { ...call.post, metadata: { privacyLevel: 'PUBLIC_TO_EVERYONE' } } })
})
