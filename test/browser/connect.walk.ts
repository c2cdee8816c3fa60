import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BrowserPlatform } from '../../shared/platforms/definitions.ts'
import type { PlatformId } from '../../shared/resources.ts'
import { type Kit, start } from '../support/start.ts'
import { launch, openPhone, type Phone } from './launch.ts'
import { look } from './look.ts'

let kit: Kit
let browser: Browser
beforeAll(async () => {
  browser = await launch()
  kit = await start()
})
afterAll(async () => {
  await browser?.close()
  await kit?.close()
})

const begin = async (platform: BrowserPlatform) =>
  (await kit.sessionApi.socialAccounts.connect({ params: { platform } })).authorizeUrl

const connected = async (platform: PlatformId) =>
  (await kit.api.socialAccounts.list()).filter(({ providerId, isConnected }) => providerId === platform && isConnected)

/** Opens the link and presses the button of our page, which leads on to the platform's. */
const goOn = async ({ page }: Phone, address: string): Promise<void> => {
  await page.goto(address)
  await page.getByRole('button', { name: /^Connect with / }).click()
  await page.getByRole('button', { name: 'Authorize' }).waitFor()
}

/** Comes back from the platform's page; returns the address of the return. */
const authorize = async (phone: Phone, address: string, button = 'Authorize'): Promise<string> => {
  const { page } = phone
  await goOn(phone, address)
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('heading', { level: 1, name: /^(Connected|Not connected|Select accounts)$/ }).waitFor()
  return page.url()
}

test.each(['light', 'dark'] as const)('connects X with PKCE; the callback works once (%s)', async (scheme) => {
  const phone = await openPhone(browser, scheme)
  const address = await begin('x')
  await phone.page.goto(address)
  await look(phone, 'Connect X to Acme?', { brand: 'Acme' })
  await phone.photograph('confirm')
  await goOn(phone, address)
  expect(new URL(phone.page.url()).searchParams.get('code_challenge_method')).toBe('S256')
  await phone.photograph('stand-in')
  expect((await phone.page.getByRole('radio').first().boundingBox())?.width).toBeLessThan(30)
  const back = await authorize(phone, address)
  await look(phone, 'Connected')
  expect(await phone.page.getByRole('status').innerText()).toBe('X: Demo is connected to Acme.')
  expect(await connected('x')).toMatchObject([{ username: 'demo' }])

  await phone.page.goto(back)
  await look(phone, 'Not connected')
  // Another login's state, and a login that was started in another browser.
  await goOn(phone, await begin('threads'))
  const state = new URL(phone.page.url()).searchParams.get('state') ?? ''
  await goOn(phone, await begin('x'))
  const own = new URL(phone.page.url())
  await phone.page.goto(own.href.replace(own.searchParams.get('state') ?? '', state))
  await phone.page.getByRole('button', { name: 'Authorize' }).click()
  await look(phone, 'Not connected')
  const other = await openPhone(browser, scheme)
  await other.page.goto(own.href)
  await other.page.getByRole('button', { name: 'Authorize' }).click()
  await look(other, 'Not connected')
  expect(await other.page.getByRole('alert').innerText()).toContain('started in another browser')
  await other.photograph('another-browser')
  const late = await begin('x')
  await goOn(phone, late)
  kit.clock.pass(10 * 60_000 + 1)
  await phone.page.getByRole('button', { name: 'Authorize' }).click()
  await look(phone, 'Not connected')
  await authorize(phone, await begin('x'), 'Cancel')
  await look(phone, 'Not connected')
  await phone.photograph('cancelled')
})

test.each(['light', 'dark'] as const)('selects two pages of a Facebook login, once (%s)', async (scheme) => {
  const phone = await openPhone(browser, scheme)
  const { page } = phone
  await authorize(phone, await begin('facebook'))
  await look(phone, 'Select accounts', { brand: 'Acme' })
  const boxes = page.getByRole('checkbox')
  expect(await boxes.count()).toBeGreaterThanOrEqual(2)
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByRole('alert').waitFor()
  await look(phone, 'Select accounts', { brand: 'Acme' })
  await phone.photograph('nothing-chosen')
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await look(phone, 'Connected')
  expect(await page.getByRole('status').count()).toBe(2)
  expect(await connected('facebook')).toHaveLength(2)
  // The way back leads to what became of it, not to the boxes.
  await page.goBack()
  await look(phone, 'Connected')
  expect(await page.getByRole('checkbox').count()).toBe(0)
})

test.each(['light', 'dark'] as const)('adds the bot to a Discord server (%s)', async (scheme) => {
  const phone = await openPhone(browser, scheme)
  await authorize(phone, await begin('discord'))
  await look(phone, 'Connected')
  expect(await phone.page.getByRole('status').innerText()).toContain('Demo Server is connected to Acme.')
})
