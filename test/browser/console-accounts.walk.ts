import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { type Kit, start } from '../support/start.ts'
import { expectAccessible, looks, openConsole, wrong } from './console.ts'
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

const connected = async (platform: string) =>
  (await kit.api.socialAccounts.list()).filter(({ providerId, isConnected }) => providerId === platform && isConnected)

test('an account of a platform with a login is connected by a link, and is listed when its window is closed', async () => {
  const phone = await openConsole(browser, kit, '#/accounts')
  const { page } = phone
  await page.getByRole('button', { name: 'Connect an account' }).click()
  await phone.photograph('accounts-link')
  const opening = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the link' }).click()
  const other = await opening
  await other.getByRole('button', { name: /^X$|^Connect X$| X$/ }).click()
  await other.getByRole('button', { name: /^Connect with / }).click()
  await other.getByRole('button', { name: 'Authorize' }).click()
  await other.getByRole('heading', { level: 1, name: 'Connected' }).waitFor()
  await other.close()
  expect(await connected('x')).toHaveLength(1)
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByText(/^X · /).waitFor()
  expect(wrong(phone)).toEqual([])
})

test('an account is disconnected after the question, and connected again by its form', async () => {
  const { page } = await openConsole(browser, kit, '#/accounts')
  const name = /^Disconnect Bluesky/
  await page.getByRole('button', { name }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('not connected').waitFor()
  expect(await connected('bluesky')).toEqual([])
  await page.getByRole('button', { name: /^Connect again Bluesky/ }).click()
  const opening = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the link' }).click()
  const other = await opening
  await other.getByLabel(/handle/i).fill(blueskySeed.account.handle)
  await other.getByLabel(/app password/i).fill(blueskySeed.account.appPassword)
  await other.getByRole('button', { name: /^Connect/ }).click()
  await other.getByRole('heading', { level: 1, name: 'Connected' }).waitFor()
  await other.close()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name }).waitFor()
  expect(await connected('bluesky')).toMatchObject([{ id: kit.accounts.bluesky }])
})

test.each(looks)('accounts and their question can be read on a %s, %o, in %s', async (device, viewport, scheme) => {
  const phone = await openConsole(browser, kit, '#/accounts', { viewport, scheme })
  const { page } = phone
  await page.getByRole('button', { name: /^Disconnect Discord/ }).click()
  await phone.photograph(`accounts-question-${device}`)
  await expectAccessible(page, 'the question')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Connect an account' }).click()
  await page.getByRole('link', { name: 'Open the link' }).waitFor()
  await expectAccessible(page, 'the link')
  await page.keyboard.press('Escape')
  await phone.photograph(`accounts-${device}`)
  await expectAccessible(page, 'accounts')
})
