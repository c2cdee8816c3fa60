import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { inspect } from './inspect.ts'
import type { Phone } from './launch.ts'

/** Hours, minutes, half of the day, and the button of a picker, next to the field itself. */
const partsOfTime = 4

/** Waits for a page and its scripts, which show what works only with them. */
export const arrive = async (page: Page, heading: string): Promise<void> => {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor()
  await page.waitForLoadState('load')
}

/** Looks a page over: everything reached by Tab in its order with a ring around it, all text readable, nothing too wide. */
export const look = async (
  { page, complaints, photograph }: Phone,
  heading: string,
  { scripts = 0, brand = 'Social Publishing' } = {},
): Promise<void> => {
  await arrive(page, heading)
  await photograph(heading.toLowerCase().replace(/\W+/g, '-'))
  const seen = await inspect(page)
  expect(seen, heading).toMatchObject({ lang: 'en', headings: 1, scripts, unlabelled: [], untied: [], faint: [] })
  expect(seen.title).toBe(`${heading} · ${brand}`)
  expect(seen.texts, heading).toBeGreaterThan(2)
  expect(seen.tooWide, heading).toBe(0)
  const order: string[] = []
  const hours = await page.locator('input[type=time]').count()
  for (let presses = 0; presses < seen.reachable.length + hours * partsOfTime; presses += 1) {
    await page.keyboard.press('Tab')
    const { focused, ring, ringContrast } = await inspect(page)
    // Tab goes through the parts of a time.
    if (hours > 0 && focused === order.at(-1)) continue
    if (order.length === seen.reachable.length) break
    order.push(focused)
    expect(ring, `the ring around ${focused}`).toBeGreaterThanOrEqual(2)
    expect(ringContrast, `the ring around ${focused}`).toBeGreaterThanOrEqual(3)
  }
  expect(order, heading).toEqual(seen.reachable)
  expect(complaints, heading).toEqual([])
}
