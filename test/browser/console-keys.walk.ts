import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../shared/time.ts'
import { scheduleOn } from '../journeys/author.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, isByKeyboard, looks, openConsole, wrong } from './console.ts'
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
  await page.getByRole('link', { name: 'Drafts' }).focus()
  await press('Control+k')
  await input.waitFor()
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
  await press('Control+k')
  await page.keyboard.type('bluesky')
  await expect.poll(() => options.first().textContent()).toMatch(/^Bluesky · /)
  await press('Enter')
  await expect.poll(() => page.url()).toContain(`account=${kit.accounts.bluesky}`)
  await press('Control+k')
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
