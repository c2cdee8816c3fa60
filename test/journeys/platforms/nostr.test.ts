import { expect, test } from 'vitest'
import { nostrSeed } from '../../../infra/local/platforms/nostr.ts'
import { minuteMs } from '../../../shared/time.ts'
import { useAccount } from '../one-account.ts'
import { uploadPng } from '../upload.ts'
import { uploadVideo } from '../upload-video.ts'

const [person, second] = nostrSeed.people

const own = useAccount('nostr')
const { publish, shown } = own

test('a text, pictures, and a video are published on time, each once, with its URL', async () => {
  const pictures = [(await uploadPng(own.kit)).id, (await uploadPng(own.kit)).id]
  const film = [(await uploadVideo(own.kit)).id]
  for (const [text, mediaUrls] of [
    ['A text', []],
    ['Two pictures', pictures],
    ['A film', film],
  ] as const) {
    const { post, dueMs } = await publish(text, { mediaUrls: [...mediaUrls] })
    const [one, ...more] = shown(text)
    expect(more).toEqual([])
    expect(post).toMatchObject({ status: 'published', publishedPostUrl: one?.url, error: null })
    expect(one).toMatchObject({ account: person.npub })
    expect(one?.media).toHaveLength(mediaUrls.length)
    expect((one?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
    expect((one?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(1000)
  }
})

test('a post with a content warning is published once after a lost response, and cannot be edited', async () => {
  own.kit.platforms.faults.add({ platform: 'nostr', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const metadata = { nostr: { contentWarning: 'Bread ahead' } }
  const { post } = await publish('Which loaf?', { metadata })
  const [one, ...more] = shown('Which loaf?')
  expect(more).toEqual([])
  expect(one?.extras).toEqual(['warning: Bread ahead'])
  expect(post).toMatchObject({ status: 'published', publishedPostUrl: one?.url, metadata })
  const edit = own.kit.api.posts.update({ params: { id: post.id }, query: { live: 'true' }, body: { content: 'Rye?' } })
  await expect(edit).rejects.toMatchObject({
    body: { code: 'live_edit_not_supported', error: expect.stringContaining('Nostr posts cannot be changed') },
  })
})

test('a live post is deleted at its relays', async () => {
  const { post } = await publish('Gone soon')
  expect(shown('Gone soon')).toHaveLength(1)
  await own.kit.api.posts.delete({ params: { id: post.id }, query: { live: 'true' } })
  await own.kit.service.pass(2 * minuteMs)
  expect(shown('Gone soon')).toEqual([])
})

test('rejects invalid posts at schedule time, and files of an account without a media server', async () => {
  const codes = async (more: object, of = own.account) => {
    const body = { socialAccountIds: [of], content: 'Hi', mediaUrls: [], ...more }
    return (await own.kit.api.posts.validate({ body })).issues.map(({ code }) => code)
  }
  const mediaUrls = [(await uploadPng(own.kit)).id]
  expect(await codes({})).toEqual([])
  expect(await codes({ mediaUrls })).toEqual([])
  expect(await codes({ content: ' ' })).toEqual(['content_empty'])
  expect(await codes({ metadata: { nostr: { quote: 'https://a.example' } } })).toEqual(['metadata_invalid'])
  const bare = await own.kit.sessionApi.socialAccounts.connectNostr({ body: { secretKey: second.nsec } })
  expect(await codes({}, bare.id)).toEqual([])
  expect(await codes({ mediaUrls }, bare.id)).toEqual(['media_count'])
  await own.kit.service.drain()
})
