import { expect, test } from 'vitest'
import { mastodonSeed } from '../../../infra/local/platforms/mastodon.ts'
import { minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
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
    status: 'published',
    publishedPostUrl: one?.url,
    metadata,
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
      socialAccountIds: [own.account],
      content: 'For followers',
      metadata,
      scheduledAt,
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

test('the limits are those of the server: read at the connection, and again once an hour', async () => {
  const say = (times: number, body: object) =>
    own.kit.platforms.faults.add({ platform: 'mastodon', operation: 'instance', times, fault: 'wrong_json', body })
  const polls = { max_options: 8, max_characters_per_option: 90, min_expiration: 60, max_expiration: 600 }
  const statuses = { max_characters: 1000, max_media_attachments: 6 }
  say(2, { configuration: { statuses, polls, media_attachments: { image_size_limit: 'many' } } })
  await connectOn(own.kit, 'mastodon')
  const check = async (content: string, poll?: object) => {
    const metadata = poll === undefined ? {} : { metadata: { mastodon: { poll } } }
    const body = { socialAccountIds: [own.account], content, ...metadata }
    const { issues, lengths } = await own.kit.api.posts.validate({ body })
    return [...issues.map(({ field, message }) => `${field} ${message}`), lengths[0]?.max]
  }
  const options = Array.from({ length: 8 }, (_, n) => `${n}${'x'.repeat(89)}`)
  expect(await check('x'.repeat(1000))).toEqual([1000])
  expect(await check('x'.repeat(1001))).toEqual(['content Mastodon: 1001/1000 characters.', 1000])
  expect(await check('Which?', { options, durationSeconds: 60 })).toEqual([1000])
  const at = 'metadata.mastodon.poll'
  expect(await check('Which?', { options: [...options, 'more', 'y'.repeat(91)], durationSeconds: 601 })).toEqual([
    `${at}.options Mastodon: 10/8 options.`,
    `${at}.options.9 Mastodon: 91/90 characters.`,
    `${at}.durationSeconds Mastodon: a poll of 601 seconds.`,
    1000,
  ])

  // The same limits hold for what is scheduled, and for an edit of a live post.
  const { post } = await publish('A short text')
  const edit = (length: number) =>
    own.kit.api.posts.update({
      params: { id: post.id },
      query: { live: 'true' },
      body: { content: 'x'.repeat(length) },
    })
  await expect(edit(1001)).rejects.toMatchObject({ body: { code: 'content_length' } })
  expect(await edit(999)).toMatchObject({ liveEdit: 'pending' })
  const scheduledAt = new Date(own.kit.clock.now() + 600 * minuteMs).toISOString()
  const body = { socialAccountIds: [own.account], content: 'x'.repeat(900), scheduledAt }
  const [{ id = '' } = {}] = await own.kit.api.posts.schedule({ body })
  await own.kit.api.posts.delete({ params: { id } })

  // A server that does not answer has the limits that are known; one that changes them, its new ones.
  await own.kit.service.pass(61 * minuteMs)
  own.kit.platforms.faults.add({ platform: 'mastodon', operation: 'instance', times: 1, fault: 'html_503' })
  expect(await check('x'.repeat(1000))).toEqual([1000])
  await own.kit.service.pass(61 * minuteMs)
  say(1, { max_toot_chars: 5000 })
  expect(await check('x'.repeat(5000))).toEqual([5000])
  await own.kit.service.pass(61 * minuteMs)
  expect(await check('x')).toEqual([500])
})
