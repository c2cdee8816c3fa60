import { afterAll, beforeAll, expect, test } from 'vitest'
import { mastodonSeed } from '../../../infra/local/platforms/mastodon.ts'
import { minuteMs } from '../../../shared/time.ts'
import { connectOn } from '../../support/connect.ts'
import { type Kit, start } from '../../support/start.ts'
import { expectSound } from '../invariants.ts'
import { uploadPng } from '../upload.ts'
import { uploadVideo } from '../upload-video.ts'

let kit: Kit
let account: string
beforeAll(async () => {
  kit = await start()
  account = await connectOn(kit, 'mastodon')
})
afterAll(async () => {
  await expectSound(kit)
  await kit.close()
})

const publish = async (content: string, more: { metadata?: Record<string, unknown>; mediaUrls?: string[] } = {}) => {
  const dueMs = kit.clock.now() + 10 * minuteMs
  const scheduledAt = new Date(dueMs).toISOString()
  const [{ id = '' } = {}] = await kit.api.posts.schedule({
    body: { socialAccountIds: [account], content, scheduledAt, ...more },
  })
  await kit.service.pass(11 * minuteMs)
  return { post: await kit.api.posts.get({ params: { id } }), dueMs }
}
const shown = (text: string) => kit.platforms.published().filter((post) => post.text === text)

test('a text, pictures, and a video are published on time, each once, with its URL', async () => {
  const pictures = [(await uploadPng(kit)).id, (await uploadPng(kit)).id]
  const film = [(await uploadVideo(kit)).id]
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
  kit.platforms.faults.add({ platform: 'mastodon', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const poll = { options: ['Rye', 'Spelt'], durationSeconds: 3600 }
  const metadata = { mastodon: { poll, spoilerText: 'Bread ahead', visibility: 'private', language: 'de' } }
  const { post } = await publish('Which loaf?', { metadata })
  expect(post.status).toBe('scheduled')
  await kit.service.pass(10 * minuteMs)
  const [one, ...more] = shown('Which loaf?')
  expect(more).toEqual([])
  const extras = ['warning: Bread ahead', 'sensitive', 'private', 'language: de', 'poll: Rye | Spelt (60 min)']
  expect(one?.extras).toEqual(extras)
  expect(await kit.api.posts.get({ params: { id: post.id } })).toMatchObject({
    ...{ status: 'published', publishedPostUrl: one?.url, metadata },
  })
  const edit = kit.api.posts.update({ params: { id: post.id }, query: { live: 'true' }, body: { content: 'Rye?' } })
  await expect(edit).rejects.toMatchObject({
    body: { code: 'live_edit_not_supported', error: expect.stringContaining('posts with a poll are not edited') },
  })
})

test('a first comment is as private as its post', async () => {
  const scheduledAt = new Date(kit.clock.now() + minuteMs).toISOString()
  const metadata = { mastodon: { visibility: 'private', language: 'de', spoilerText: 'Bread ahead' } }
  await kit.api.posts.schedule({
    body: {
      ...{ socialAccountIds: [account], content: 'For followers', metadata, scheduledAt },
      firstComment: { text: 'For them, too' },
    },
  })
  await kit.service.pass(5 * minuteMs)
  const [post] = shown('For followers')
  expect(shown('For them, too')).toMatchObject([{ replyTo: post?.url, extras: ['private', 'language: de'] }])
})

test('rejects invalid posts at schedule time', async () => {
  const codes = async (more: object) => {
    const body = { socialAccountIds: [account], content: 'Hi', mediaUrls: [], ...more }
    return (await kit.api.posts.validate({ body })).issues.map(({ code }) => code)
  }
  expect(await codes({})).toEqual([])
  expect(await codes({ content: 'x'.repeat(501) })).toEqual(['content_length'])
  expect(await codes({ content: ' ' })).toEqual(['content_empty'])
  expect(await codes({ metadata: { mastodon: { visibility: 'direct' } } })).toEqual(['metadata_invalid'])
})
