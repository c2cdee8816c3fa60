import { expect, test } from 'vitest'
import { wordpressSeed } from '../../../infra/local/platforms/wordpress.ts'
import { minuteMs } from '../../../shared/time.ts'
import { browserOf } from '../../pages/test-browser.ts'
import { useAccount } from '../one-account.ts'
import { uploadPng } from '../upload.ts'
import { uploadVideo } from '../upload-video.ts'

const own = useAccount('wordpress')
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
    expect(one?.media).toHaveLength(mediaUrls.length)
    expect((one?.publishedAt ?? 0) - dueMs).toBeGreaterThanOrEqual(0)
    expect((one?.publishedAt ?? 0) - dueMs).toBeLessThanOrEqual(1000)
  }
})

test('a post with all its metadata is published after a lost response once, edited, and deleted', async () => {
  own.kit.platforms.faults.add({ platform: 'wordpress', operation: 'create', times: 1, fault: 'landed_then_reset' })
  const wordpress = {
    title: 'Which loaf?',
    slug: 'which-loaf',
    categories: ['News'],
    tags: ['rye'],
    isSticky: true,
    featuredMediaAssetId: (await uploadPng(own.kit)).id,
  }
  const { post } = await publish('Rye or spelt', { metadata: { wordpress } })
  await own.kit.service.pass(10 * minuteMs)
  const [one, ...more] = shown('Rye or spelt')
  expect(more).toEqual([])
  expect(one?.url).toBe(`https://${wordpressSeed.site}/which-loaf/`)
  expect(one?.extras).toEqual(['title: Which loaf?', 'sticky', 'featured image', 'categories: News', 'tags: rye'])
  const { id } = post
  expect(await own.kit.api.posts.get({ params: { id } })).toMatchObject({
    status: 'published',
    publishedPostUrl: one?.url,
  })

  await own.kit.api.posts.update({ params: { id }, query: { live: 'true' }, body: { content: 'Rye' } })
  await own.kit.service.pass(minuteMs)
  expect(shown('Rye')).toMatchObject([{ url: one?.url }])
  await own.kit.api.posts.delete({ params: { id }, query: { live: 'true' } })
  await own.kit.service.pass(minuteMs)
  expect(shown('Rye')).toEqual([])
  expect(await own.kit.api.posts.get({ params: { id } })).toMatchObject({ liveDeletedAt: expect.any(String) })
})

test('a post that is changed before its time leaves no second draft', async () => {
  const scheduledAt = new Date(own.kit.clock.now() + 12 * minuteMs).toISOString()
  const mediaUrls = [(await uploadPng(own.kit)).id]
  const body = { socialAccountIds: [own.account], content: 'First words', mediaUrls, scheduledAt }
  const [{ id = '' } = {}] = await own.kit.api.posts.schedule({ body })
  await own.kit.service.pass(10 * minuteMs)
  await own.kit.api.posts.update({ params: { id }, body: { content: 'Second words' } })
  await own.kit.service.pass(3 * minuteMs)
  expect(shown('Second words')).toHaveLength(1)
  const made = own.kit.platforms.calls().filter(({ body: sent }) => /First words|Second words/.test(String(sent)))
  expect(made.map(({ operation }) => operation)).toEqual(['draft', 'edit'])
})

test('the owner of a site connects it on the page of a link, and leaves it again', async () => {
  const { authorizeUrl } = await own.kit.sessionApi.socialAccounts.createWordpressLink()
  const someone = browserOf(own.kit)
  const page = await someone.open(authorizeUrl.slice(own.kit.url.length))
  const [, second] = wordpressSeed.users
  const login = { site: wordpressSeed.site, username: second.username }
  const wrong = await someone.submit(page, 'connect-accounts', { ...login, applicationPassword: 'wrong' })
  expect(wrong.text).toContain('WordPress rejected this username and application password. Check both.')
  const { applicationPassword } = second
  await someone.submit(wrong, 'connect-accounts', { ...login, applicationPassword })
  const account = (await own.kit.api.socialAccounts.list()).find(({ displayName }) => displayName === second.name)
  expect(account).toMatchObject({ isConnected: true, username: `second@${wordpressSeed.site}` })
  await own.kit.api.socialAccounts.disconnect({ params: { id: account?.id ?? '' } })
  expect(own.kit.platforms.calls().filter(({ operation }) => operation === 'revoke')).toMatchObject([{ status: 200 }])
})

test('rejects invalid posts at schedule time', async () => {
  const codes = async (more: object) => {
    const body = { socialAccountIds: [own.account], content: 'Hi', mediaUrls: [], ...more }
    return (await own.kit.api.posts.validate({ body })).issues.map(({ code }) => code)
  }
  expect(await codes({})).toEqual([])
  expect(await codes({ content: ' ' })).toEqual(['content_empty'])
  expect(await codes({ metadata: { wordpress: { slug: 'Two Loaves' } } })).toEqual(['metadata_invalid'])
})
