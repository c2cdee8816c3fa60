import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../shared/time.ts'
import { scheduleBoth, scheduleOn } from '../journeys/author.ts'
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

/** A Monday at midnight in UTC, so many weeks ahead. */
const mondayIn = (weeks: number) => (Math.floor(Date.now() / dayMs / 7) + weeks) * 7 * dayMs + 4 * dayMs
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const postsFrom = async (ms: number, days = 7) => {
  const range = { from: new Date(ms).toISOString(), to: new Date(ms + days * dayMs).toISOString() }
  const query = { ...range, sort: 'scheduledAt', order: 'asc', limit: 100 } as const
  return (await kit.api.posts.list({ query })).items
}
const timesFrom = async (ms: number) => (await postsFrom(ms)).map(({ scheduledAt }) => Date.parse(scheduledAt ?? ''))

test('forty posts are moved by a day with three keys, and Undo moves them back', async () => {
  const monday = mondayIn(5)
  for (let n = 0; n < 40; n += 1) {
    const dueMs = monday + (n % 4) * dayMs + (8 + Math.floor(n / 4)) * hourMs + 1_234
    await scheduleOn(kit, 'bluesky', `Bun ${n}.`, dueMs - Date.now())
  }
  const before = await timesFrom(monday)
  const phone = await open(`#/calendar?mode=week&day=${dayOf(monday)}`)
  const { page } = phone
  await page.getByRole('link', { name: /Bun 0\./ }).focus()
  await page.keyboard.press('Control+a')
  await page.getByText('40 selected').waitFor()
  await phone.photograph('console-week-selection')
  await page.getByRole('button', { name: '+1 day' }).click()
  await page.getByText('Moved 40 posts 1 day later.').waitFor({ timeout: 60_000 })
  expect(await timesFrom(monday)).toEqual(before.map((ms) => ms + dayMs))
  expect(await page.getByText('40 selected').count()).toBe(0)
  await page.keyboard.press('z')
  await page.getByText('Moved back.').waitFor({ timeout: 60_000 })
  expect(await timesFrom(monday)).toEqual(before)
  expect(wrong(phone)).toEqual([])
})

test.each(
  looks,
)('posts of a list are selected, moved to a day, and deleted after a question, on a %s, %o, in %s', async (device, viewport, scheme) => {
  const monday = mondayIn(10 + 10 * looks.findIndex(([name, , color]) => name === device && color === scheme))
  for (let n = 0; n < 4; n += 1) {
    await scheduleOn(kit, 'bluesky', `Roll ${n}.`, monday + n * dayMs + 9 * hourMs - Date.now())
  }
  const phone = await open(`#/calendar?mode=list&day=${dayOf(monday)}`, { viewport, scheme })
  const { page } = phone
  const box = (n: number) => page.getByRole('checkbox', { name: `Select Roll ${n}.` }).first()
  const count = (n: number) => page.getByText(`${n} selected`).waitFor()
  await box(0).focus()
  await page.keyboard.press('Space')
  await count(1)
  expect(await page.getByRole('link', { name: 'Duplicate' }).getAttribute('href')).toMatch(/^#\/compose\?copy=\w+$/)
  await box(2).focus()
  await page.keyboard.press('Shift+Space')
  await count(3)
  await page.keyboard.press('x')
  await count(2)
  await loaded(page)
  await phone.photograph(`console-${device}-selection`)
  await expectAccessible(page, 'selection')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByText('2 selected').count()).toBe(0)
  await box(0).check()
  await box(1).check()
  await page.getByRole('button', { name: 'Move the selected posts' }).click()
  await page.getByLabel('Day of the first post').fill(dayOf(monday + 7 * dayMs))
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Moved 2 posts 7 days later.').waitFor()
  expect(await timesFrom(monday + 7 * dayMs)).toEqual([7, 8].map((days) => monday + days * dayMs + 9 * hourMs))
  await box(2).check()
  await page.getByRole('button', { name: 'Delete the selected posts' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Post deleted.').waitFor()
  expect((await postsFrom(monday)).map(({ content }) => content)).toEqual(['Roll 3.'])
  expect(wrong(phone)).toEqual([])
})

test.skipIf(isByKeyboard)('Ctrl and a click select a post, and do not open it', async () => {
  const monday = mondayIn(70)
  await scheduleOn(kit, 'bluesky', 'Challah', monday + 9 * hourMs - Date.now())
  const { page } = await open(`#/calendar?mode=week&day=${dayOf(monday)}`)
  await page.getByRole('link', { name: /Challah/ }).click({ modifiers: ['Control'] })
  await page.getByText('1 selected').waitFor()
  await page.getByRole('link', { name: /selected, .*Challah/ }).waitFor()
})

test('Undo schedules canceled posts again: a group as one group, and a thread as a thread', async () => {
  const monday = mondayIn(60)
  const scheduledAt = new Date(monday + 33 * hourMs).toISOString()
  await scheduleBoth(kit, 'Pretzel', monday + 9 * hourMs - Date.now())
  const tweets = ['Dough', 'Oven'].map((content) => ({ content }))
  const firstComment = { text: 'Recipe below', delaySeconds: 60 }
  await kit.api.posts.scheduleThread({
    body: { socialAccountId: kit.accounts.bluesky, tweets, firstComment, scheduledAt },
  })
  const before = await postsFrom(monday)
  expect(before).toHaveLength(4)
  const phone = await open(`#/calendar?mode=week&day=${dayOf(monday)}`)
  const { page } = phone
  await page.getByRole('link', { name: /Pretzel/ }).focus()
  await page.keyboard.press('Control+a')
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Cancel posts' }).click()
  await page.getByText('4 posts canceled.').waitFor()
  expect(new Set((await postsFrom(monday)).map(({ status }) => status))).toEqual(new Set(['cancelled']))
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Scheduled again.').waitFor()
  const after = (await postsFrom(monday)).filter(({ status }) => status === 'scheduled')
  const contentOf = (posts: typeof after) =>
    posts
      .map(({ content, platform, scheduledAt: at, metadata, thread, firstComment: comment }) =>
        JSON.stringify([content, platform, at, metadata, thread?.position, comment?.text]),
      )
      .sort()
  expect(contentOf(after)).toEqual(contentOf(before))
  expect(new Set(after.map(({ groupId }) => groupId)).size).toBe(2)
  expect(wrong(phone)).toEqual([])
})
