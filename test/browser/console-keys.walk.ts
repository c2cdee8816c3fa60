import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../shared/time.ts'
import { scheduleOn } from '../journeys/author.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, isByKeyboard, loaded, looks, openConsole, wrong } from './console.ts'
import { launch } from './launch.ts'

let kit: Kit
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start({ time: 'real' })
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const open = (hash: string, how = {}) => openConsole(browser, kit, hash, how)
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

test('keys lead through the calendar, to a new post, and to the list of shortcuts', async () => {
  const { page } = await open('#/calendar?mode=month&day=2027-03-15')
  await heading(page, 'March 2027').waitFor()
  for (const [key, title] of [
    ['j', 'April 2027'],
    ['k', 'March 2027'],
    ['2', 'Week of March 1, 2027'],
    ['3', 'Monday, March 1, 2027'],
    ['1', 'March 2027'],
  ] as const) {
    await page.keyboard.press(key)
    await heading(page, title).waitFor()
  }
  await page.keyboard.press('t')
  await page.locator('[aria-current="date"]').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('njk')
  expect(await page.getByPlaceholder('Filter by text').inputValue(), 'what is typed runs no shortcut').toBe('njk')
  await page.getByRole('link', { name: 'Drafts' }).focus()
  for (const key of ['Control+n', 'Alt+n', 'Shift+N']) await page.keyboard.press(key)
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('New post').waitFor()
  await page.keyboard.press('n')
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  expect(await heading(page, 'New post').count(), 'other modifiers, and an open dialog').toBe(0)
  await page.keyboard.press('n')
  await heading(page, 'New post').waitFor()
})

test('the text of a new post is at most five presses of Tab away', async () => {
  const { page } = await open('#/compose')
  await page.getByRole('textbox', { name: 'Text', exact: true }).waitFor()
  for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await page.keyboard.type('Rye')
  expect(await page.getByRole('textbox', { name: 'Text', exact: true }).inputValue()).toBe('Rye')
})

test('single keys can be turned off, and stay so', async () => {
  const { page } = await open('#/calendar?mode=month&day=2027-03-15')
  await page.getByRole('button', { name: 'Shortcuts (?)' }).click()
  await page.getByLabel('Use shortcuts without Ctrl').uncheck()
  await page.reload()
  await heading(page, 'March 2027').waitFor()
  for (const key of ['j', '?', 'Control+k']) await page.keyboard.press(key)
  await page.getByRole('dialog', { name: 'Search everything' }).waitFor()
  await heading(page, 'March 2027').waitFor()
})

test.each(
  looks,
)('the command menu finds actions, views, accounts, drafts, and posts, on a %s, %o, in %s', async (device, viewport, scheme) => {
  const text = `Sourdough ${device} ${scheme}`
  await kit.api.drafts.create({ body: { content: `Draft of ${text}` } })
  const post = await scheduleOn(kit, 'bluesky', text, 300 * dayMs)
  const phone = await open('#/calendar', { viewport, scheme })
  const { page } = phone
  const input = page.getByRole('combobox', { name: 'Posts, drafts, accounts, and actions' })
  const options = page.getByRole('listbox', { name: 'Results' }).getByRole('option')
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const openMenu = async () => {
    await input.waitFor({ state: 'detached' })
    await press('Control+k')
    await input.waitFor()
  }
  await page.getByRole('link', { name: 'Drafts' }).focus()
  await openMenu()
  await page.keyboard.type('connect')
  await expect.poll(() => options.allTextContents()).toEqual(['Connect an accountAction'])
  await press('Control+a')
  await page.keyboard.type(text)
  await expect.poll(() => options.count()).toBe(2)
  await phone.photograph(`console-${device}-menu`)
  await expectAccessible(page, 'command menu')
  expect(await options.first().getAttribute('aria-selected')).toBe('true')
  expect(await options.first().textContent()).toBe(`Draft of ${text}Draft`)
  await press('ArrowDown', 'Enter')
  await heading(page, /^Post to Bluesky/).waitFor()
  expect(page.url()).toContain(post.id)
  await openMenu()
  await page.keyboard.type('bluesky')
  await expect.poll(() => options.first().textContent()).toMatch(/^Bluesky · /)
  await press('Enter')
  await expect.poll(() => page.url()).toContain(`account=${kit.accounts.bluesky}`)
  await openMenu()
  await page.keyboard.type('no such post')
  await page.getByText('Nothing matches.').waitFor()
  await press('Escape')
  await page.getByPlaceholder('Filter by text').fill(text)
  await page.getByRole('button', { name: 'Search all posts' }).click()
  const choice = options.filter({ hasText: new RegExp(`^${text}`) })
  await choice.waitFor()
  if (isByKeyboard) await press('ArrowDown', 'Enter')
  else await choice.click()
  await heading(page, /^Post to Bluesky/).waitFor()
  expect(wrong(phone)).toEqual([])
})

test('typing filters the calendar', async () => {
  const at = (days: number) => new Date(Date.now() + days * dayMs + hourMs)
  for (const content of ['Brioche', 'Baguette']) await scheduleOn(kit, 'bluesky', content, 40 * dayMs)
  const { page } = await open(`#/calendar?mode=week&day=${at(40).toISOString().slice(0, 10)}`)
  await page.getByRole('link', { name: /Baguette/ }).waitFor()
  await page.getByPlaceholder('Filter by text').pressSequentially('brio')
  await page.getByRole('link', { name: /Baguette/ }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: /Brioche/ }).waitFor()
})

test('the list begins today, goes on while you scroll, and shows earlier days on request', async () => {
  const startMs = Math.floor(Date.now() / dayMs) * dayMs + 500 * dayMs
  for (let n = 0; n < 130; n += 1) {
    await scheduleOn(kit, 'bluesky', `Loaf ${n}.`, startMs + n * hourMs - Date.now())
  }
  const phone = await open('#/calendar?mode=list')
  const { page } = phone
  await heading(page, /^From /).waitFor()
  await page.getByRole('link', { name: /Loaf 0\./ }).waitFor()
  const readsBefore = phone.requested.length
  await page.getByRole('button', { name: 'Show more' }).waitFor()
  await page.keyboard.press('End')
  await page.getByRole('link', { name: /Loaf 129\./ }).waitFor()
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
  expect(phone.requested.slice(readsBefore).filter((url) => url.includes('/api/posts'))).toHaveLength(1)
  const later = new Date(startMs + dayMs).toISOString().slice(0, 10)
  await page.goto(`${kit.url}/console#/calendar?mode=list&day=${later}`)
  await page.getByRole('link', { name: /Loaf 24\./ }).waitFor()
  expect(await page.getByRole('link', { name: /Loaf 23\./ }).count()).toBe(0)
  await page.getByRole('button', { name: 'Earlier' }).click()
  await page.getByRole('link', { name: /Loaf 23\./ }).waitFor()
  await page.getByText('No earlier posts.').waitFor()
  expect(wrong(phone)).toEqual([])
})

test.skipIf(isByKeyboard)(
  'a month fits the window, a day opens at the time that it is, and a notice pushes nothing',
  async () => {
    for (const n of [0, 1, 2, 3]) await scheduleOn(kit, 'bluesky', `On the same day ${n}`, 2 * dayMs + n * hourMs)
    await kit.api.drafts.create({ body: { content: 'To be deleted' } })
    const viewport = { width: 1280, height: 860 }
    const phone = await open('#/calendar?mode=month&day=2026-11-15', { viewport })
    const { page } = phone
    // It has six weeks.
    const last = page.locator('[data-day="2026-12-06"]')
    await last.waitFor()
    await loaded(page)
    await phone.photograph('console-month-fits')
    const box = await last.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height)
    // Two keys before the browser reports the first change of the address.
    await page.evaluate(
      "for (const key of ['t', '3']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))",
    )
    const line = page.locator('.now')
    await line.waitFor()
    await phone.photograph('console-day-now')
    await expect.poll(async () => (await line.boundingBox())?.y ?? 0).toBeLessThan(viewport.height)
    const top = () => page.evaluate("document.querySelector('h1').getBoundingClientRect().top")
    await page.goto(`${kit.url}/console#/drafts`)
    await page.getByText('To be deleted').waitFor()
    const before = await top()
    await page.getByRole('button', { name: 'Delete the draft To be deleted' }).click()
    await page.getByText('Draft deleted.').waitFor()
    await phone.photograph('console-notice')
    expect(await top()).toBe(before)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('To be deleted').waitFor()
    expect(wrong(phone)).toEqual([])
  },
)
