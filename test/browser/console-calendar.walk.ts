import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../shared/time.ts'
import { scheduleBoth } from '../journeys/author.ts'
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

/** Noon, some days ahead, in the time zone of the workspace, which is UTC. */
const noonIn = (days: number) => new Date(Math.floor(Date.now() / dayMs) * dayMs + days * dayMs + 12 * hourMs)
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)
const scheduledAt = async (id: string) => (await kit.api.posts.get({ params: { id } })).scheduledAt

const open = (hash: string, how = {}) => openConsole(browser, kit, hash, how)

test('a text for two accounts is one chip with both logos; its page names both posts', async () => {
  const noon = noonIn(9)
  await scheduleBoth(kit, 'One text, two networks', noon.getTime() - Date.now())
  const { page } = await open(`#/calendar?mode=week&day=${dayOf(noon)}`)
  const chip = page.getByRole('link', { name: /One text, two networks/ })
  await chip.waitFor()
  expect(await chip.count()).toBe(1)
  expect(await chip.locator('svg.icon').count()).toBe(2)
  expect(await chip.textContent()).toMatch(/Bluesky · .*, Discord · /)
  await chip.click()
  const siblings = page.getByRole('navigation', { name: 'Posts of the same request' })
  await siblings.getByRole('link', { name: /^Discord/ }).click()
  await page.getByRole('heading', { name: /^Post to Discord/ }).waitFor()
  expect(await siblings.locator('[aria-current]').textContent()).toMatch(/Discord/)
})

test.skipIf(isByKeyboard)('a drag moves every post of a request, and Undo moves them back', async () => {
  const [from, to] = [noonIn(11), noonIn(12)]
  const posts = await scheduleBoth(kit, 'Both move', from.getTime() - Date.now())
  const last = posts.at(-1)?.id ?? ''
  const laterAt = new Date(from.getTime() + 2 * hourMs).toISOString()
  await kit.api.posts.reschedule({ params: { id: last }, body: { scheduledAt: laterAt } })
  const timesOf = () => Promise.all(posts.map(async ({ id }) => Date.parse((await scheduledAt(id)) ?? '')))
  const before = await timesOf()
  const distanceMs = (before[1] ?? 0) - (before[0] ?? 0)
  const { page } = await open(`#/calendar?mode=month&day=${dayOf(from)}`)
  await page.getByRole('link', { name: /Both move/ }).dragTo(page.locator(`[data-day="${dayOf(to)}"]`))
  await page.getByText(/^Moved 2 posts to /).waitFor()
  const moved = await timesOf()
  for (const ms of moved) expect(dayOf(new Date(ms))).toBe(dayOf(to))
  expect((moved[1] ?? 0) - (moved[0] ?? 0), 'a post with another time keeps its distance').toBe(distanceMs)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Moved back.').waitFor()
  expect(await timesOf()).toEqual(before)
})

test.skipIf(isByKeyboard)('a click on a free day begins a post there, and on a past day shows its posts', async () => {
  const day = dayOf(noonIn(2))
  const { page } = await open(`#/calendar?mode=week&day=${day}`)
  await page.locator(`[data-day="${day}"]`).click({ position: { x: 40, y: 200 } })
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  expect(await page.getByLabel('Day', { exact: true }).inputValue()).toBe(day)
  const past = dayOf(noonIn(-40))
  await page.goto(`${kit.url}/console#/calendar?mode=week&day=${past}`)
  await page.locator(`[data-day="${past}"]`).click({ position: { x: 40, y: 200 } })
  await page.getByText('No posts on this day.').waitFor()
})

test.each(
  looks,
)('a failed post is counted, stands first on its day, and is sent again, on a %s, %o, in %s', async (device, viewport, scheme) => {
  const content = `Burnt ${device} ${scheme}`
  const publish = (text: string) =>
    kit.api.posts.publishNow({ body: { socialAccountIds: [kit.accounts.bluesky], content: text } })
  const total = async (status: 'failed' | 'scheduled') => (await kit.api.posts.list({ query: { status } })).total
  // Eleven requests of the same day are earlier: more than a day of a week shows.
  const scheduled = await total('scheduled')
  for (let n = 0; n < 11; n += 1) await publish(`Fine ${n} ${content}`)
  await expect.poll(() => total('scheduled'), { timeout: 60_000 }).toBe(scheduled)
  const body = { error: 'InvalidRequest', message: 'no' }
  kit.platforms.faults.add({ platform: 'bluesky', operation: 'create', times: 1, fault: 'status', status: 400, body })
  await publish(content)
  await expect.poll(() => total('failed'), { timeout: 60_000 }).toBe(1)
  const phone = await open('#/calendar?mode=week', { viewport, scheme })
  const { page } = phone
  const attention = page.getByRole('link', { name: /^Needs attention ?1$/ })
  await attention.waitFor()
  const first = page.locator('[aria-current="date"] .chip').first()
  await first.waitFor()
  expect(await first.textContent()).toMatch(new RegExp(`^✕failed, .*${content}$`))
  await attention.click()
  await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
  await page.getByText(content).waitFor()
  await loaded(page)
  await phone.photograph(`console-${device}-attention`)
  await expectAccessible(page, 'attention')
  await page.getByRole('button', { name: 'Retry now' }).click()
  await page.getByText(/^Trying Bluesky · .* again now\./).waitFor()
  await page.getByText(/^Nothing needs your attention\./).waitFor()
  await page.getByRole('link', { name: /^Needs attention$/ }).waitFor()
  const live = () => kit.platforms.published().filter(({ text }) => text === content).length
  await expect.poll(live, { timeout: 60_000 }).toBe(1)
  expect(wrong(phone)).toEqual([])
})

test.skipIf(isByKeyboard)('a chip says that its post is published while the calendar is open', async () => {
  const content = 'Turns green by itself'
  const scheduledAt = new Date(Date.now() + 4_000).toISOString()
  await kit.api.posts.schedule({ body: { socialAccountIds: [kit.accounts.bluesky], content, scheduledAt } })
  const { page } = await open(`#/calendar?mode=day&day=${scheduledAt.slice(0, 10)}`)
  await page.getByRole('link', { name: /^scheduled, .*Turns green by itself/ }).waitFor()
  await page.getByRole('link', { name: /^published, .*Turns green by itself/ }).waitFor({ timeout: 60_000 })
})
