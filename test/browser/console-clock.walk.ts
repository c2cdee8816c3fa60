import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { openConsole, wrong } from './console.ts'
import { launch } from './launch.ts'

let kit: Kit
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  // Its clock stands years ahead of the browser's.
  kit = await start()
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

test('the calendar and the composer go by the clock of the local service, and not by the one of the browser', async () => {
  const phone = await openConsole(browser, kit)
  const { page } = phone
  await page.getByRole('heading', { name: /January (?:1, )?2030/ }).waitFor()
  await page.getByRole('link', { name: 'New post' }).click()
  // The calendar has a field to go to a day.
  await page.getByRole('heading', { name: 'New post' }).waitFor()
  expect(await page.getByLabel('Day', { exact: true }).inputValue()).toBe('2030-01-02')
  expect(wrong(phone)).toEqual([])
})
