import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client } from '../../functions/client.ts'
import { dayMs, hourMs } from '../../shared/time.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, isByKeyboard, loaded, looks, openConsole, sessionCookie, wrong } from './console.ts'
import { launch } from './launch.ts'

let kit: Kit
let api: Client
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start({ time: 'real' })
  api = kit.api
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

/** Noon, some days ahead, in the time zone of the workspace, which is UTC. */
const noonIn = (days: number) => new Date(Math.floor(Date.now() / dayMs) * dayMs + days * dayMs + 12 * hourMs)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

const schedule = async (content: string, moment: Date) => {
  const body = { socialAccountIds: [kit.accounts.bluesky], content, scheduledAt: moment.toISOString() }
  const [post] = await api.posts.schedule({ body })
  return post?.id ?? ''
}

const scheduledAt = async (id: string) => (await api.posts.get({ params: { id } })).scheduledAt

const open = (hash = '', how = {}) => openConsole(browser, kit, hash, how)

test.each(looks)('every view can be read and used on a %s, %o, in %s', async (device, size, scheme) => {
  const id = await schedule(`Rye bread ${device} ${scheme}`, noonIn(3.2))
  const phone = await open('', { viewport: size, scheme })
  const { page } = phone
  const views = ['month', 'week', 'list'].map((mode) => `calendar?mode=${mode}`)
  for (const view of [...views, 'compose', 'drafts', 'accounts', 'webhooks', `post/${id}`]) {
    await page.goto(`${kit.url}/console#/${view}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await loaded(page)
    await phone.photograph(`console-${device}-${view.split('/')[0]?.replace('?mode=', '-')}`)
    expect(await page.getByRole('heading', { level: 1 }).count(), view).toBe(1)
    await expectAccessible(page, view)
  }
  expect(wrong(phone)).toEqual([])
  expect(phone.requested.filter((url) => !url.startsWith(`${kit.url}/`))).toEqual([])
})

test('a post is moved with the keyboard, and Escape leaves it where it is', async () => {
  const [from, to] = [noonIn(8), noonIn(10)]
  const id = await schedule('Moves by keyboard', from)
  const { page } = await open(`#/calendar?mode=week&day=${dayOf(from)}`)
  const chip = page.getByRole('link', { name: /Moves by keyboard/ })
  await chip.focus()
  await page.keyboard.press('m')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await page.getByText('The post stays where it was.').waitFor()
  expect(await scheduledAt(id)).toBe(from.toISOString())
  await page.keyboard.press('m')
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowDown']) await page.keyboard.press(key)
  await page.getByText(/^Move to .*, 12:15 \(UTC\).*Press Enter/).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(/^Moved to /).waitFor()
  expect(await scheduledAt(id)).toBe(new Date(to.getTime() + 15 * 60_000).toISOString())
  const focused = () =>
    page.evaluate("[document.activeElement.closest('td')?.dataset.day, document.activeElement.textContent]")
  await expect.poll(focused).toEqual([dayOf(to), expect.stringContaining('12:15Moves by keyboard')])
})

test.skipIf(isByKeyboard)(
  'a post is dragged to another day; the service refuses a day in the past, and the post stays',
  async () => {
    const [from, to] = [noonIn(15), noonIn(16)]
    const id = await schedule('Moves by mouse', from)
    const { page } = await open(`#/calendar?mode=month&day=${dayOf(from)}`)
    const cell = (day: string) => page.locator(`[data-day="${day}"]`)
    await page.getByRole('link', { name: /Moves by mouse/ }).dragTo(cell(dayOf(to)))
    await page.getByText(/^Moved to /).waitFor()
    expect(await scheduledAt(id)).toBe(to.toISOString())

    const soon = noonIn(1)
    const other = await schedule('Cannot go back', soon)
    await page.goto(`${kit.url}/console#/calendar?mode=week&day=${dayOf(noonIn(0))}`)
    const link = page.getByRole('link', { name: /Cannot go back/ })
    if ((await link.count()) === 0) return
    await link.focus()
    await page.keyboard.press('m')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page
      .locator('.alert')
      .getByText(/past|future/)
      .waitFor()
    expect(await scheduledAt(other)).toBe(soon.toISOString())
  },
)

test.skipIf(isByKeyboard)('in the day, a post is dragged to another hour and keeps its minutes', async () => {
  const from = new Date(noonIn(17).getTime() + 10 * 60_000)
  const id = await schedule('Moves to an hour', from)
  const { page } = await open(`#/calendar?mode=day&day=${dayOf(from)}`)
  await page.getByRole('link', { name: /Moves to an hour/ }).dragTo(page.locator('[data-hour="14"]'))
  await page.getByText(/^Moved to .*, 14:10 \(UTC\)/).waitFor()
  expect(await scheduledAt(id)).toBe(new Date(from.getTime() + 2 * 3_600_000).toISOString())
})

test('a newcomer writes one post for two platforms, sees what is wrong with it, and schedules it', async () => {
  const phone = await open('#/compose')
  const { page } = phone
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel(/Discord · /).check()
  await page.getByLabel('Text', { exact: true }).fill('x'.repeat(301))
  await page.getByText('301/300', { exact: true }).waitFor()
  await page.getByText(/Fix: Bluesky: 301\/300 characters/).waitFor()
  await page.getByRole('button', { name: '2 things to fix' }).waitFor()
  await page.getByRole('tab', { name: /Bluesky/ }).click()
  await page.getByLabel('Text on Bluesky').fill('Short enough for two')
  await page.getByRole('tab', { name: /Discord/ }).click()
  await page.getByText('Fix: Discord: fill in Channel.').waitFor()
  await page.getByRole('combobox', { name: /^Channel/ }).selectOption({ label: 'general' })
  await page.getByRole('button', { name: /to fix$/ }).waitFor({ state: 'detached' })
  await phone.photograph('console-composed')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^2 posts scheduled for /).waitFor()
  await page.getByRole('link', { name: /Short enough for two/ }).waitFor()
  const { items } = await api.posts.list({ query: { limit: 2 } })
  expect(items.map(({ platform }) => platform).sort()).toEqual(['bluesky', 'discord'])
})

test('a post that is published now shows its journey to the end', async () => {
  const phone = await open('#/compose')
  const { page } = phone
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).fill('Fresh <b>from</b> the oven')
  await page.getByLabel('Publish now').check()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await page.getByRole('heading', { name: /^Post to Bluesky/ }).waitFor()
  await page.locator('.journey').getByText('Published', { exact: true }).waitFor({ timeout: 20_000 })
  expect(await page.locator('blockquote').textContent()).toBe('Fresh <b>from</b> the oven')
  expect(await page.locator('.journey .name').allTextContents()).toEqual([
    'Created',
    'Scheduled for',
    'Sent',
    'Published',
  ])
  await phone.photograph('console-journey')
})

test('a post is written, scheduled, opened, and canceled', async () => {
  const { page } = await open()
  await page.getByRole('link', { name: 'New post', exact: true }).first().click()
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).fill('To be cancelled')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^1 post scheduled for /).waitFor()
  const { items } = await api.posts.list({ query: { limit: 1 } })
  expect(items).toMatchObject([{ content: 'To be cancelled', status: 'scheduled' }])
  await page.goto(`${kit.url}/console#/calendar?mode=list`)
  await page.getByRole('link', { name: /To be cancelled/ }).click()
  await page.getByRole('heading', { name: /^Post to Bluesky/ }).waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Post canceled').waitFor()
  expect((await api.posts.get({ params: { id: items[0]?.id ?? '' } })).status).toBe('cancelled')
})

test('a file is uploaded, described, and published with its description', async () => {
  const phone = await open('#/compose')
  const { page } = phone
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).fill('With a picture')
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  await page.getByLabel('Add files').setInputFiles({ name: 'loaf.png', mimeType: 'image/png', buffer: png })
  await page.getByLabel('Alt text for loaf.png').fill('A loaf on a board')
  await page.getByText('Uploaded', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^1 post scheduled for /).waitFor()
  const [post] = (await api.posts.list({ query: { limit: 1 } })).items
  const [id = ''] = post?.mediaUrls ?? []
  expect((await api.media.get({ params: { id } })).altText).toBe('A loaf on a board')
  await page.goto(`${kit.url}/console#/post/${post?.id}`)
  await page.getByRole('link', { name: 'Open loaf.png' }).waitFor()
  await expect.poll(() => page.evaluate("document.querySelector('.library img')?.naturalWidth")).toBe(1)
  expect(wrong(phone)).toEqual([])
  await api.media.delete({ params: { id }, query: { force: 'true' } })
  await page.reload()
  await page.getByText(`${id} is no longer in the library.`).waitFor()
})

test('the page of a post says which file is not fetched, and why', async () => {
  const url = 'https://media.invalid/loaf.png'
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'With a file of another host', mediaUrls: [url] }
  const [post] = await api.posts.schedule({ body: { ...body, scheduledAt: noonIn(5).toISOString() } })
  const { page } = await open(`#/post/${post?.id}`)
  const file = page.locator('.library li')
  await file.getByText(url).waitFor()
  expect(await file.locator('span').textContent()).toMatch(/\w\.$/)
})

test('typed text survives a lost network, an ended session, and a reload', async () => {
  const { page } = await open('#/compose')
  const typed = `Do not lose me 🥖 ${'ערב טוב '.repeat(20)}`
  await page.getByLabel(/Bluesky · /).check()
  await page.getByLabel('Text', { exact: true }).fill(typed)
  // The text is checked before the network is lost: what cannot be reached is what schedules the post.
  await page.getByText('/300').waitFor()
  await page.route('**/api/**', (route) => route.abort())
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('Can’t reach the service.').waitFor({ timeout: 20_000 })
  await page.unroute('**/api/**')
  await page.route('**/api/posts/schedule', (route) =>
    route.fulfill({
      status: 503,
      contentType: 'application/json',
      body: '{"success":false,"code":"service_unavailable","error":"Try again later."}',
    }),
  )
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('Try again later.').waitFor({ timeout: 20_000 })
  await page.unroute('**/api/posts/schedule')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText('You’ve been signed out.').waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe(typed)
  await page.context().addCookies([sessionCookie(kit)])
  await page.reload()
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe(typed)
  await page.getByRole('button', { name: 'Schedule' }).click()
  await page.getByText(/^1 post scheduled for /).waitFor()
  const same = (await api.posts.list({ query: { limit: 50 } })).items.filter(
    ({ content }) => content === typed.trim() || content === typed,
  )
  expect(same).toHaveLength(1)
})

test('a draft that another tab has changed is not overwritten', async () => {
  const { id } = await api.drafts.create({ body: { content: 'First' } })
  const { page } = await open('#/compose')
  await page.getByLabel('Text', { exact: true }).fill('Of a new post')
  await page.goto(`${kit.url}/console#/compose?draft=${id}`)
  // The heading comes before the draft is read.
  await expect.poll(() => page.getByLabel('Text', { exact: true }).inputValue()).toBe('First')
  await api.drafts.update({ params: { id }, body: { content: 'Second' } })
  await page.getByLabel('Text', { exact: true }).fill('Third')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.locator('.alert').waitFor()
  expect((await api.drafts.get({ params: { id } })).content).toBe('Second')
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Third')
  await page.getByRole('link', { name: 'New post' }).click()
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Of a new post')
})

test('a view that cannot be read says so, and shows what it has after another try; so does the console as a whole', async () => {
  const { page } = await open('#/drafts')
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  for (const view of ['drafts', 'calendar?mode=month', 'calendar?mode=list', 'numbers', 'settings/team']) {
    await page.route('**/api/**', (route) => route.fulfill({ status: 503, body: '' }))
    if (view === 'drafts') await page.reload()
    else await page.goto(`${kit.url}/console#/${view}`)
    await tryAgain.waitFor({ timeout: 60_000 })
    await expectAccessible(page, view)
    await page.unroute('**/api/**')
    await tryAgain.click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await loaded(page)
    await expect.poll(() => tryAgain.count(), { message: view }).toBe(0)
  }
})

test('a part of a view that cannot be read can be retried, and nothing is shown instead', async () => {
  const { id } = await api.drafts.create({ body: { content: 'Cannot be read at once' } })
  const { page } = await open('#/drafts')
  const tryAgain = page.getByRole('button', { name: 'Try again' })
  const parts = [
    { view: 'accounts', path: 'social-accounts', instead: 'No account is connected yet.', shown: /^Bluesky · / },
    { view: 'settings/team', path: 'auth/get-session', instead: 'Couldn’t load this.', shown: 'active' },
    { view: `compose?draft=${id}`, path: `drafts/${id}`, instead: 'New post', shown: 'Save draft' },
  ]
  for (const { view, path, instead, shown } of parts) {
    await page.route(`**/api/${path}`, (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto(`${kit.url}/console#/${view}`)
    await page.reload()
    await tryAgain.waitFor({ timeout: 60_000 })
    expect(await page.locator('main').getByText(instead).count(), view).toBe(0)
    await page.unroute(`**/api/${path}`)
    await tryAgain.click()
    await page.getByText(shown).first().waitFor()
    await expect.poll(() => tryAgain.count(), { message: view }).toBe(0)
  }
})
