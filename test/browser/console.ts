import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Kit } from '../support/start.ts'
import { operateByKeyboard } from './keyboard.ts'
import { deskSize, openPhone, type Phone, phoneSize } from './launch.ts'
import { rawTextsOf } from './raw-text.ts'

/** The cookie of someone who has signed in. */
export const sessionCookie = ({ sessionToken, url }: Kit) => ({
  name: 'svc_session',
  value: sessionToken,
  url,
  httpOnly: true,
})

const everyLook = [
  ['desk', deskSize, 'light'],
  ['desk', deskSize, 'dark'],
  ['phone', phoneSize, 'light'],
  ['phone', phoneSize, 'dark'],
] as const

/** The look, such as `phone-dark`, in which all walks are operated by keyboard alone; without it, a mouse is used. */
const keyboardLook = process.env['KEYBOARD_LOOK']

/** Whether what a mouse alone does is left out; each has a twin for the keyboard. */
export const isByKeyboard = keyboardLook !== undefined

/** Where every view is looked at: a device, its size, and a color scheme. */
export const looks = everyLook.filter(
  ([device, , scheme]) => (keyboardLook ?? `${device}-${scheme}`) === `${device}-${scheme}`,
)

const [[, usualSize, usualScheme] = everyLook[0]] = looks

/** Opens a view of the console, such as `#/accounts`, for the person of the kit. */
export const openConsole = async (
  browser: Browser,
  kit: Kit,
  hash = '',
  { viewport = usualSize, scheme = usualScheme }: { viewport?: typeof deskSize; scheme?: 'light' | 'dark' } = {},
): Promise<Phone> => {
  const phone = await openPhone(browser, scheme, viewport)
  if (isByKeyboard) operateByKeyboard(phone.page)
  await phone.page.context().addCookies([sessionCookie(kit)])
  await phone.page.goto(`${kit.url}/console${hash}`)
  await phone.page.getByRole('navigation', { name: 'Views' }).waitFor()
  return phone
}

/** Waits until no part of a view is loading. */
export const loaded = (page: Page) => expect.poll(() => page.getByText('Loading…').count(), { timeout: 30_000 }).toBe(0)

/** What went wrong on a page, without the reads that the next view, or the next key, made needless. */
export const wrong = ({ complaints }: Phone) => complaints.filter((text) => !/\/api\/\S* net::ERR_ABORTED$/.test(text))

/** What axe-core finds serious, whether the page is wider than the screen, and whether a text is a raw value. */
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
  expect(await rawTextsOf(page), name).toEqual([])
}
