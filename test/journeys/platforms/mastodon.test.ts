import { expect, test } from 'vitest'
import { mastodonSeed } from '../../../infra/local/platforms/mastodon.ts'
import { minuteMs } from '../../../shared/time.ts'
import { useAccount } from '../one-account.ts'
import { uploadPng } from '../upload.ts'
import { uploadVideo } from '../upload-video.ts'

const own = useAccount('mastodon')
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
    expect(one).toMatchObject({ account: `@demo@${mastodonSeed.domain}` })
    expect(one?.media).toHaveLength(mediaUrls.length)
    expect((one?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
    expect((one?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(1000)
  }
})

test('a post with a poll and a content warning is published with both, after a lost response once', async () => {
  own.kit.platforms.faults.add({ platform: 'mastodon', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const poll = { options: ['Rye', 'Spelt'], durationSeconds: 3600 }
  const metadata = { mastodon: { poll, spoilerText: 'Bread ahead', visibility: 'private', language: 'de' } }
  const { post } = await publish('Which loaf?', { metadata })
  expect(post.status).toBe('scheduled')
  await own.kit.service.pass(10 * minuteMs)
  const [one, ...more] = shown('Which loaf?')
  expect(more).toEqual([])
  const extras = ['warning: Bread ahead', 'sensitive', 'private', 'language: de', 'poll: Rye | Spelt (60 min)']
  expect(one?.extras).toEqual(extras)
  expect(await own.kit.api.posts.get({ params: { id: post.id } })).toMatchObject({
    ...{ status: 'published', publishedPostUrl: one?.url, metadata },
  })
  const edit = own.kit.api.posts.update({ params: { id: post.id }, query: { live: 'true' }, body: { content: 'Rye?' } })
  await expect(edit).rejects.toMatchObject({
    body: { code: 'live_edit_not_supported', error: expect.stringContaining('posts with a poll are not edited') },
  })
})

test('a first comment is as private as its post', async () => {
  const scheduledAt = new Date(own.kit.clock.now() + minuteMs).toISOString()
  const metadata = { mastodon: { visibility: 'private', language: 'de', spoilerText: 'Bread ahead' } }
  await own.kit.api.posts.schedule({
    body: {
      ...{ socialAccountIds: [own.account], content: 'For followers', metadata, scheduledAt },
      firstComment: { text: 'For them, too' },
    },
  })
  await own.kit.service.pass(5 * minuteMs)
  const [post] = shown('For followers')
  expect(shown('For them, too')).toMatchObject([{ replyTo: post?.url, extras: ['private', 'language: de'] }])
})

test('rejects invalid posts at schedule time', async () => {
  const codes = async (more: object) => {
    const body = { socialAccountIds: [own.account], content: 'Hi', mediaUrls: [], ...more }
    return (await own.kit.api.posts.validate({ body })).issues.map(({ code }) => code)
  }
  expect(await codes({})).toEqual([])
  expect(await codes({ content: 'x'.repeat(501) })).toEqual(['content_length'])
  expect(await codes({ content: ' ' })).toEqual(['content_empty'])
  expect(await codes({ metadata: { mastodon: { visibility: 'direct' } } })).toEqual(['metadata_invalid'])
})
