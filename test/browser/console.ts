import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Kit } from '../support/start.ts'
import { deskSize, openPhone, type Phone, phoneSize } from './launch.ts'

/** The cookie of somebody who has signed in. */
export const sessionCookie = ({ sessionToken, url }: Kit) => ({
  ...{ name: 'svc_session', value: sessionToken, url },
  httpOnly: true,
})

/** Where every view is looked at: a device, its size, and a color scheme. */
export const looks = [
  ['desk', deskSize, 'light'],
  ['desk', deskSize, 'dark'],
  ['phone', phoneSize, 'light'],
  ['phone', phoneSize, 'dark'],
] as const

/** Opens a view of the console, such as `#/accounts`, for the person of the kit. */
export const openConsole = async (
  browser: Browser,
  kit: Kit,
  hash = '',
  { viewport = deskSize, scheme = 'light' }: { viewport?: typeof deskSize; scheme?: 'light' | 'dark' } = {},
): Promise<Phone> => {
  const phone = await openPhone(browser, scheme, viewport)
  await phone.page.context().addCookies([sessionCookie(kit)])
  await phone.page.goto(`${kit.url}/console${hash}`)
  await phone.page.getByRole('navigation', { name: 'Views' }).waitFor()
  return phone
}

/** Waits until no part of a view is loading. */
export const loaded = (page: Page) => expect.poll(() => page.getByText('Loading…').count(), { timeout: 30_000 }).toBe(0)

/** What went wrong on a page, without the reads that the next view, or the next key, made needless. */
export const wrong = ({ complaints }: Phone) => complaints.filter((text) => !/\/api\/\S* net::ERR_ABORTED$/.test(text))

/** What axe-core finds serious, and whether the page is wider than the screen. */
export const expectAccessible = async (page: Page, name: string) => {
  // The policy of the page lets no script in; what the test evaluates is not the page's.
  await page.evaluate(axe.source)
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
    name,
  ).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), name).toBe(
    0,
  )
}

const nameOfFocused =
  "((one) => [...(one.labels ?? [])].map((label) => label.textContent).join(' ') || one.ariaLabel || one.textContent)(document.activeElement)"

/** Presses Tab until the element with a name has the focus. */
export const tabTo = async (page: Page, name: RegExp) => {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press('Tab')
    if (name.test(String(await page.evaluate(nameOfFocused)).trim())) return
  }
  throw new Error(`Tab does not reach ${name}`)
}
