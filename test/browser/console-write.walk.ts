import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../shared/time.ts'
import { clip } from '../media/clips.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, looks, openConsole, wrong } from './console.ts'
import { launch } from './launch.ts'

let kit: Kit
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start({ time: 'real' })
  for (const platform of ['mastodon', 'linkedin', 'youtube', 'instagram'] as const) await connectOn(kit, platform)
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const open = (hash: string, how = {}) => openConsole(browser, kit, hash, how)
const listed = async (q: string) => (await kit.api.posts.list({ query: { q, limit: 10 } })).items
const postOf = (id: string) => kit.api.posts.get({ params: { id } })
const accountOn = async (platform: string) => {
  const accounts = await kit.api.socialAccounts.list()
  return accounts.find(({ providerId }) => providerId === platform)?.id ?? ''
}
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(name) })

test.each(
  looks,
)('an image for three networks and a video for a fourth take nine actions, on a %s, %o, in %s', async (...look) => {
  const [device, viewport, scheme] = look
  const text = `Fresh bread ${device} ${scheme}`
  const phone = await open('#/compose', { viewport, scheme })
  const { page } = phone
  let actions = 0
  const act = async (action: Promise<unknown>) => {
    await action
    actions += 1
  }
  for (const name of [/Bluesky · /, /Mastodon · /, /LinkedIn · /, /YouTube · /])
    await act(page.getByLabel(name).check())
  await page.getByLabel('Text', { exact: true }).fill(text)
  await act(page.getByLabel('Add files').setInputFiles({ name: 'loaf.png', mimeType: 'image/png', buffer: png }))
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await act(tab(page, 'YouTube').click())
  await page.getByLabel('Text on YouTube').fill(`${text}: the film`)
  await act(page.getByRole('button', { name: 'Remove loaf.png' }).click())
  await act(page.getByLabel('Add files').setInputFiles({ name: 'oven.mp4', mimeType: 'video/mp4', buffer: clip() }))
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await page
    .getByRole('article', { name: 'Preview on YouTube' })
    .getByLabel('oven.mp4')
    .or(page.locator('.previews:not([open])'))
    .first()
    .waitFor()
  await phone.photograph(`networks-${device}`)
  await expectAccessible(page, 'networks')
  await act(page.getByRole('button', { name: 'Schedule' }).click())
  await page.getByText(/^4 posts scheduled for /).waitFor()
  expect(actions).toBeLessThanOrEqual(12)
  const posts = await listed(text)
  const kinds = posts.map(async ({ platform, content, mediaUrls }) => {
    const files = await Promise.all(mediaUrls.map((id) => kit.api.media.get({ params: { id } })))
    return [platform, content, ...files.map(({ mimeType }) => mimeType)]
  })
  expect((await Promise.all(kinds)).sort()).toEqual([
    ...['bluesky', 'linkedin', 'mastodon'].map((platform) => [platform, text, 'image/png']),
    ['youtube', `${text}: the film`, 'video/mp4'],
  ])
  expect(wrong(phone)).toEqual([])
})

test('a scheduled request is edited in the composer: text, files, comment, and time, each network its own', async () => {
  const at = new Date(Math.ceil(Date.now() / dayMs) * dayMs + 5 * dayMs)
  const body = {
    socialAccountIds: [kit.accounts.bluesky, await accountOn('mastodon')],
    content: 'Opening at eight',
    scheduledAt: at.toISOString(),
    firstComment: { text: 'See you', delaySeconds: 60 },
  }
  const posts = await kit.api.posts.schedule({ body })
  const phone = await open(`#/post/${posts[0]?.id}`)
  const { page } = phone
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('heading', { name: 'Edit post' }).waitFor()
  await page.getByLabel('Text', { exact: true }).fill('Opening at nine')
  await page.getByLabel('Add files').setInputFiles({ name: 'door.png', mimeType: 'image/png', buffer: png })
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await tab(page, 'Mastodon').click()
  await page.getByLabel('Text on Mastodon').fill('Opening at nine, friends')
  await page.getByLabel('Time').fill('11:00')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changes saved to 2 posts').waitFor()
  const scheduledAt = new Date(at.getTime() + 11 * hourMs).toISOString()
  const expected = { scheduledAt, status: 'scheduled', firstComment: { text: 'See you', delaySeconds: 60 } }
  const after = await Promise.all(posts.map(({ id }) => postOf(id)))
  expect(after.map(({ content, mediaUrls }) => [content, mediaUrls.length])).toEqual([
    ['Opening at nine', 1],
    ['Opening at nine, friends', 1],
  ])
  for (const post of after) expect(post).toMatchObject(expected)
  await page.getByRole('heading', { name: /^Post to Bluesky/ }).waitFor()
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Opening at nine')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^2 posts scheduled for /).waitFor()
  expect((await listed('Opening at nine')).length).toBe(4)
  expect(wrong(phone)).toEqual([])
})

test('a caption that a program stored in a draft is the text of its network', async () => {
  const metadata = { instagram: { format: 'feed_image', caption: 'With a caption' } }
  const socialAccountIds = [kit.accounts.bluesky, await accountOn('instagram')]
  const { id } = await kit.api.drafts.create({ body: { content: 'Without', socialAccountIds, metadata } })
  const { page } = await open(`#/compose?draft=${id}`)
  await tab(page, 'Instagram').click()
  expect(await page.getByLabel('Text on Instagram').inputValue()).toBe('With a caption')
  await page.getByLabel('Text on Instagram').fill('A better caption')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved').waitFor()
  const draft = await kit.api.drafts.get({ params: { id } })
  expect(draft).toMatchObject({ content: 'Without', platformContent: { instagram: 'A better caption' } })
  expect(draft.metadata).toEqual({ instagram: { format: 'feed_image' } })
})

test('an edit that someone else overtook is refused, and what was typed stays', async () => {
  const body = {
    socialAccountIds: [kit.accounts.bluesky],
    content: 'Yours and mine',
    scheduledAt: new Date(Date.now() + 5 * dayMs).toISOString(),
  }
  const [post] = await kit.api.posts.schedule({ body })
  const id = post?.id ?? ''
  const { page } = await open(`#/compose?post=${id}`)
  await page.getByLabel('Text', { exact: true }).fill('Mine')
  await kit.api.posts.update({ params: { id }, body: { content: 'Theirs' } })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.locator('.alert').waitFor()
  expect((await postOf(id)).content).toBe('Theirs')
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Mine')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('Theirs')
})

test('a failed post is edited and published in three actions', async () => {
  const body = { error: 'InvalidRequest', message: 'no' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
  const content = 'Burnt at first'
  const [post] = await kit.api.posts.publishNow({ body: { socialAccountIds: [kit.accounts.bluesky], content } })
  const id = post?.id ?? ''
  await expect.poll(async () => (await postOf(id)).status, { timeout: 60_000 }).toBe('failed')
  const { page } = await open(`#/post/${id}`)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Text', { exact: true }).fill('Golden now')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByText('Changes saved').waitFor()
  await expect.poll(async () => (await postOf(id)).status, { timeout: 60_000 }).toBe('published')
  expect(kit.platforms.published().filter(({ text }) => text === 'Golden now')).toHaveLength(1)
})

test('a poll and a link card are filled in as forms, and no one reads JSON or the name of a field', async () => {
  const phone = await open('#/compose')
  const { page } = phone
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel(/Mastodon · /).check()
  await page.getByLabel('Text', { exact: true }).fill('Which loaf first?')
  await tab(page, 'Mastodon').click()
  await page.getByText('More Mastodon options').click()
  await page.getByRole('button', { name: 'Add poll' }).click()
  await page.getByLabel('Choice 1').fill('Rye')
  await page.getByLabel('Choice 2').fill('Wheat')
  await page.getByLabel('People can choose several').check()
  await page
    .getByRole('article', { name: 'Preview on Mastodon' })
    .getByText('Wheat')
    .or(page.locator('.previews:not([open])'))
    .first()
    .waitFor()
  await tab(page, 'Bluesky').click()
  await page.getByText('More Bluesky options').click()
  await page.getByRole('button', { name: 'Add link card' }).click()
  await page.getByLabel('Link', { exact: true }).fill('https://bakery.example/bread')
  await page.getByLabel('Title').fill('Our bread')
  await page.getByLabel('Suggestive').check()
  await page.getByLabel('Turn off quote posts').check()
  await phone.photograph('forms')
  await expectAccessible(page, 'forms')
  const labels = await page.locator('main :is(label, legend, summary, button, option)').allInnerTexts()
  expect(labels.flatMap((text) => text.split('\n')).filter((text) => /JSON|\b[a-z]+[A-Z_]/.test(text))).toEqual([])
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^2 posts scheduled for /).waitFor()
  const posts = await listed('Which loaf first')
  expect(Object.fromEntries(posts.map(({ platform, metadata }) => [platform, metadata?.[platform]]))).toEqual({
    bluesky: {
      external: { url: 'https://bakery.example/bread', title: 'Our bread' },
      labels: ['sexual'],
      disableQuotes: true,
    },
    mastodon: { poll: { options: ['Rye', 'Wheat'], durationSeconds: 86_400, isMultiple: true } },
  })
  expect(wrong(phone)).toEqual([])
})

test('a scheduled thread is edited: its texts and its time, and its options stay', async () => {
  const at = new Date(Math.ceil(Date.now() / dayMs) * dayMs + 6 * dayMs)
  const body = {
    socialAccountId: await accountOn('mastodon'),
    tweets: [{ content: 'First, as planned' }, { content: 'Second, as planned' }],
    scheduledAt: at.toISOString(),
    metadata: { mastodon: { visibility: 'unlisted' as const } },
  }
  const { threadHeadPost } = await kit.api.posts.scheduleThread({ body })
  const { page } = await open(`#/compose?post=${threadHeadPost.id}`)
  await page.getByLabel('Text of post 2').fill('Second, changed')
  await page.getByLabel('Time').fill('10:00')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changes saved to 2 posts').waitFor()
  const { items } = await kit.api.posts.list({ query: { groupId: threadHeadPost.groupId ?? '', limit: 10 } })
  const thread = items.toSorted((a, b) => (a.thread?.position ?? 0) - (b.thread?.position ?? 0))
  expect(thread.map(({ content }) => content)).toEqual(['First, as planned', 'Second, changed'])
  expect(thread[0]).toMatchObject({
    scheduledAt: new Date(at.getTime() + 10 * hourMs).toISOString(),
    metadata: { mastodon: { visibility: 'unlisted' } },
  })
})

test('the file of an option is uploaded in its form', async () => {
  const { page } = await open('#/compose')
  await page.getByLabel(/Bluesky · /).check()
  await page.getByText('More Bluesky options').click()
  await page.getByRole('button', { name: 'Add link card' }).click()
  const image = page.getByRole('group', { name: 'Image' })
  await image.getByLabel('Choose a file').setInputFiles({ name: 'card.png', mimeType: 'image/png', buffer: png })
  await image.getByText('Uploaded', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft saved').waitFor()
  const [draft] = (await kit.api.drafts.list({ query: { limit: 1 } })).items
  expect(draft?.metadata).toMatchObject({
    bluesky: { external: { thumbMediaAssetId: expect.stringMatching(/^med_/) } },
  })
  await image.getByRole('button', { name: /^Remove / }).click()
  await image.getByLabel('Choose a file').waitFor({ state: 'attached' })
})

test('a live post is edited at its platform, and deleted there', async () => {
  const socialAccountIds = [await accountOn('mastodon')]
  const [post] = await kit.api.posts.publishNow({ body: { socialAccountIds, content: 'Sold out' } })
  const id = post?.id ?? ''
  await expect.poll(async () => (await postOf(id)).status, { timeout: 60_000 }).toBe('published')
  const { page } = await open(`#/post/${id}`)
  await page.getByRole('button', { name: 'Edit on Mastodon' }).click()
  await page.getByRole('dialog').getByLabel('Text').fill('Back in the shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(async () => (await postOf(id)).liveEditedAt, { timeout: 60_000 }).not.toBeNull()
  expect(kit.platforms.published().map(({ text }) => text)).toContain('Back in the shop')
  await page.getByRole('button', { name: 'Delete from Mastodon' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(async () => (await postOf(id)).liveDeletedAt, { timeout: 60_000 }).not.toBeNull()
})
