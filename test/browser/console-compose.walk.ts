import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../functions/client.ts'
import { halves } from '../media/pictures.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, looks, openConsole, wrong } from './console.ts'
import { launch } from './launch.ts'

let kit: Kit
let api: Client
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start({ time: 'real' })
  api = kit.api
  await connectOn(kit, 'mastodon')
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The texts of the newest thread of a platform, in order. */
const threadOn = async (platform: 'bluesky' | 'mastodon') => {
  const { items } = await api.posts.list({ query: { platform, limit: 1 } })
  const groupId = items[0]?.groupId ?? ''
  const { items: posts } = await api.posts.list({ query: { groupId, limit: 25 } })
  return posts
    .toSorted((a, b) => (a.thread?.position ?? 0) - (b.thread?.position ?? 0))
    .map(({ content, mediaUrls, status }) => ({ content, files: mediaUrls.length, status }))
}

const textOf = (page: Page, n: number) => page.getByLabel(`Text of post ${n}`)

test('a thread is written, put in order, checked, and scheduled to each chosen account', async () => {
  const phone = await openConsole(browser, kit, '#/compose')
  const { page } = phone
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel(/Mastodon · /).check()
  await page.getByLabel(/Discord · /).check()
  await page.getByLabel('Text', { exact: true }).fill('First')
  await page.getByRole('button', { name: 'Turn into thread' }).click()
  await page.getByText(/^Accounts on X, .*Mastodon.* support threads\./).waitFor()
  expect(await page.getByLabel(/Discord · .*support threads/).isDisabled()).toBe(true)
  expect(await page.getByLabel(/Discord · .*support threads/).isChecked()).toBe(false)
  await textOf(page, 2).fill('x'.repeat(301))
  const second = page.getByRole('group', { name: 'Post 2 of 2' })
  await second.getByText('301/300', { exact: true }).waitFor()
  await second.getByText(/Fix: Bluesky: 301\/300 characters/).waitFor()
  await textOf(page, 2).fill('Third')
  await second.getByText('5/300').waitFor()
  await second.getByLabel('Add files').setInputFiles({ name: 'loaf.png', mimeType: 'image/png', buffer: png })
  await second.getByText('Uploaded').waitFor()
  await page.getByRole('button', { name: 'Add post' }).click()
  await textOf(page, 3).fill('Second')
  await page.getByRole('button', { name: 'Move up post 3' }).click()
  await page.getByRole('button', { name: 'Add post' }).click()
  await textOf(page, 4).fill('Not wanted')
  await page.getByRole('button', { name: 'Remove post 4' }).click()
  expect(await page.getByRole('button', { name: 'Save draft' }).isDisabled()).toBe(true)
  await page.reload()
  await page.getByRole('group', { name: 'Post 3 of 3' }).waitFor()
  expect(await textOf(page, 2).inputValue()).toBe('Second')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^2 threads scheduled for /).waitFor()
  const expected = ['First', 'Second', 'Third'].map((content, n) => ({
    content,
    status: 'scheduled',
    files: n === 2 ? 1 : 0,
  }))
  expect(await threadOn('bluesky')).toEqual(expected)
  expect(await threadOn('mastodon')).toEqual(expected)
  expect(wrong(phone)).toEqual([])
})

test('an upload that fails is tried again and keeps its description; one that is removed is ended', async () => {
  const { page } = await openConsole(browser, kit, '#/compose')
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).fill('With what came through')
  const add = (name: string, buffer = png) =>
    page.getByLabel('Add files').setInputFiles({ name, mimeType: 'image/png', buffer })
  for (const [name, buffer, sentence] of [
    ['nothing.png', Buffer.alloc(0), 'This file is empty.'],
    ['photo.heic', png, 'Save it as JPEG or PNG.'],
    // Only the service sees that these bytes are no image.
    ['torn.png', png.subarray(0, 20), 'Upload the whole file again.'],
  ] as const) {
    await page.getByLabel('Add files').setInputFiles({ name, mimeType: '', buffer })
    const refused = page.getByRole('listitem').filter({ hasText: name })
    await refused.getByText(sentence).waitFor()
    expect(await refused.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await refused.getByRole('button', { name: `Remove ${name}` }).click()
  }
  await page.route('**/api/media/upload-url', (route) => route.abort())
  // The library uses a file that it has, without an upload.
  await add('crust.png', await halves(8, 6).png().toBuffer())
  const row = page.getByRole('listitem').filter({ hasText: 'crust.png' })
  await row.getByText('Can’t reach the service.').waitFor()
  await row.getByLabel('Alt text for crust.png').fill('A crust')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('Still uploading a file. Wait for it, or remove it.').waitFor()
  await page.unroute('**/api/media/upload-url')
  await row.getByRole('button', { name: 'Try again' }).click()
  await row.getByText('Uploaded').waitFor()

  await page.route('**/api/media/complete', () => {})
  await add('crumb.png', Buffer.concat([png, Buffer.from('other bytes')]))
  await page.getByRole('progressbar', { name: 'Upload of crumb.png' }).waitFor()
  await page.getByRole('button', { name: 'Remove crumb.png' }).click()
  await page.unroute('**/api/media/complete')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^1 post scheduled for /).waitFor()
  const { items } = await api.posts.list({ query: { q: 'With what came through', limit: 1 } })
  const [id = '', ...others] = items[0]?.mediaUrls ?? []
  expect(others).toEqual([])
  expect(await api.media.get({ params: { id } })).toMatchObject({ originalFilename: 'crust.png', altText: 'A crust' })
})

test('the price that a platform asks of the operator is not told to authors', async () => {
  const content = 'See https://example.com'
  const socialAccountIds = [await connectOn(kit, 'x')]
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString()
  await api.posts.schedule({ body: { socialAccountIds, content, scheduledAt } })
  const { page } = await openConsole(browser, kit, '#/compose')
  await page.getByLabel(/^X · /).check()
  await page.getByLabel('Text', { exact: true }).fill(content)
  await page.getByText(/^Check: .*The same text/).waitFor()
  expect(await page.getByText(/USD/).count()).toBe(0)
})

test('a thread that one account refuses is not sent again to those that have it', async () => {
  const { page } = await openConsole(browser, kit, '#/compose')
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel(/Mastodon · /).check()
  await page.getByLabel('Text', { exact: true }).fill('Once on Bluesky')
  await page.getByRole('button', { name: 'Turn into thread' }).click()
  await textOf(page, 2).fill('And then')
  let threads = 0
  await page.route('**/api/posts/schedule-thread', (route) => {
    threads += 1
    if (threads === 1) return route.continue()
    const body = '{"success":false,"code":"account_disconnected","error":"Connect it again."}'
    return route.fulfill({ status: 409, contentType: 'application/json', body })
  })
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.locator('.alert').getByText('An account is disconnected. Reconnect it under Accounts.').waitFor()
  expect(await page.getByLabel(/Bluesky · /).isChecked()).toBe(false)
  expect(await page.getByLabel(/Mastodon · /).isChecked()).toBe(true)
  await page.unroute('**/api/posts/schedule-thread')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^1 thread scheduled for /).waitFor()
  const { items } = await api.posts.list({ query: { q: 'Once on Bluesky', limit: 10 } })
  expect(items.map(({ platform }) => platform).sort()).toEqual(['bluesky', 'mastodon'])
})

test('a thread is typed without leaving its texts, put in order, and published now', async () => {
  const { page } = await openConsole(browser, kit, '#/compose')
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).focus()
  await page.keyboard.type('Typed first')
  await page.getByRole('button', { name: 'Turn into thread' }).click()
  await textOf(page, 2).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('Typed second')
  await page.getByRole('button', { name: 'Move up post 2' }).click()
  await textOf(page, 1).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(' (now the first)')
  await page.getByLabel('Publish now').check()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('heading', { name: /^Post to Bluesky/ }).waitFor()
  const thread = await threadOn('bluesky')
  expect(thread.map(({ content }) => content)).toEqual(['Typed second (now the first)', 'Typed first'])
})

test.each(looks)('a thread can be read and used on a %s, %o, in %s', async (device, viewport, scheme) => {
  const phone = await openConsole(browser, kit, '#/compose', { viewport, scheme })
  const { page } = phone
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel(/Mastodon · /).check()
  await page.getByLabel('Text', { exact: true }).fill('Three loaves, one thread.')
  await page.getByRole('button', { name: 'Turn into thread' }).click()
  await textOf(page, 2).fill('z'.repeat(301))
  await page.getByText('301/300', { exact: true }).waitFor()
  await phone.photograph(`thread-${device}`)
  await expectAccessible(page, 'thread')
  expect(wrong(phone)).toEqual([])
})

test('a suggestion is seen before it replaces the text of a platform, and is taken back', async () => {
  const phone = await openConsole(browser, kit, '#/compose')
  const { page } = phone
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).fill('Two places are left on our sourdough course')
  await page.getByRole('button', { name: 'Rewrite with AI for Bluesky' }).click()
  const suggestion = page.getByRole('group', { name: 'Suggestion for Bluesky' })
  const text = (await suggestion.locator('blockquote').textContent()) ?? ''
  expect(text).not.toBe('')
  const written = page.getByLabel('Text', { exact: true })
  expect(await written.inputValue()).toBe('Two places are left on our sourdough course')
  await phone.photograph('suggestion')
  await expectAccessible(page, 'suggestion')
  await suggestion.getByRole('button', { name: 'Apply' }).click()
  expect(await written.inputValue()).toBe(text)
  await page.getByRole('button', { name: 'Undo the text for Bluesky' }).click()
  expect(await written.inputValue()).toBe('Two places are left on our sourdough course')
  await page.getByRole('button', { name: 'Rewrite with AI for Bluesky' }).click()
  await suggestion.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^1 post scheduled for /).waitFor()
  const { items } = await api.posts.list({ query: { platform: 'bluesky', limit: 1 } })
  expect(items[0]?.content).toBe(text)
  expect((await kit.sessionApi.ai.getUsage({})).byKind.text.calls).toBe(2)
})

test('a deployment without a model says so once, and offers no suggestion', async () => {
  const { page } = await openConsole(browser, kit, '#/compose')
  await page.route('**/api/ai/rewrite', (route) => {
    const body = '{"success":false,"code":"ai_not_configured","error":"No model is configured."}'
    return route.fulfill({ status: 503, contentType: 'application/json', body })
  })
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).fill('Typed')
  await page.getByRole('button', { name: 'Rewrite with AI for Bluesky' }).click()
  await page.locator('.alert').getByText('AI isn’t set up here.').waitFor({ timeout: 20_000 })
  expect(await page.getByRole('button', { name: /^Rewrite/ }).count()).toBe(0)
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Typed')
})

/** A day of the workspace, whose time zone is UTC, three days ahead. */
const dayAhead = () => new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)

test('in the day, a post stands at its hour, moves by 15 minutes, and an empty hour begins a post', async () => {
  const day = dayAhead()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'At nine', scheduledAt: `${day}T09:00:00.000Z` }
  const [post] = await api.posts.schedule({ body })
  const id = post?.id ?? ''
  const phone = await openConsole(browser, kit, `#/calendar?mode=day&day=${day}`)
  const { page } = phone
  const hour = (n: number) => page.locator(`[data-hour="${n}"]`)
  const chip = hour(9).getByRole('link', { name: /At nine/ })
  await chip.focus()
  await page.keyboard.press('m')
  for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown']) await page.keyboard.press(key)
  await page.getByText(/^Move to .*, 09:30 \(UTC\)/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(/^Moved to /).waitFor()
  expect((await api.posts.get({ params: { id } })).scheduledAt).toBe(`${day}T09:30:00.000Z`)
  await hour(9).getByText('09:30').waitFor()
  await hour(14).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.evaluate('document.activeElement.dataset.hour')).toBe('15')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  expect([await page.getByLabel('Day').inputValue(), await page.getByLabel('Time').inputValue()]).toEqual([
    day,
    '15:00',
  ])
  expect(wrong(phone)).toEqual([])
})

test.each(looks)('the day can be read and used on a %s, %o, in %s', async (device, viewport, scheme) => {
  const phone = await openConsole(browser, kit, `#/calendar?mode=day&day=${dayAhead()}`, { viewport, scheme })
  await phone.page.getByRole('link', { name: /^New post at 08:00$/ }).waitFor()
  await phone.photograph(`day-${device}`)
  await expectAccessible(phone.page, 'day')
  expect(wrong(phone)).toEqual([])
})
