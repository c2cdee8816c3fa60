import { expect } from 'vitest'
import { inspect } from './inspect.ts'
import type { Phone } from './launch.ts'

/** Looks a page over: everything reached by Tab in its order with a ring around it, all text readable, nothing too wide. */
export const look = async (
  { page, complaints, photograph }: Phone,
  heading: string,
  { scripts = 0 } = {},
): Promise<void> => {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 10_000 })
  await photograph(heading.toLowerCase().replace(/\W+/g, '-'))
  const seen = await inspect(page)
  expect(seen, heading).toMatchObject({ lang: 'en', headings: 1, scripts, unlabelled: [], untied: [], faint: [] })
  expect(seen.title).toBe(`${heading} · Social Publishing`)
  expect(seen.texts, heading).toBeGreaterThan(2)
  expect(seen.tooWide, heading).toBe(0)
  const order: string[] = []
  for (const _ of seen.reachable) {
    await page.keyboard.press('Tab')
    const { focused, ring, ringContrast } = await inspect(page)
    order.push(focused)
    expect(ring, `the ring around ${focused}`).toBeGreaterThanOrEqual(2)
    expect(ringContrast, `the ring around ${focused}`).toBeGreaterThanOrEqual(3)
  }
  expect(order, heading).toEqual(seen.reachable)
  expect(complaints, heading).toEqual([])
}
