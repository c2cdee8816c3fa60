import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { update } from '../../shared/db/table.ts'
import { socialAccounts } from '../../shared/social-accounts/social-account.ts'
import { dayMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
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

/** Moves the end of the access of an account to the last week. */
const endSoon = (id: string) => {
  const accessEndsAt = new Date(Date.now() + 5.1 * dayMs).toISOString()
  return update(kit.ctx, socialAccounts.key({ workspaceId: kit.workspaceId, id }), { set: { accessEndsAt } })
}

test('an account whose access ends says in how many days, and can be connected again in the last week', async () => {
  const id = await connectOn(kit, 'linkedin')
  const desk = await openConsole(browser, kit, '#/accounts')
  const { page } = desk
  const row = page.getByRole('listitem').filter({ hasText: /^LinkedIn · / })
  await row.getByText('access ends in 60 days').waitFor()
  expect(await row.locator('.state.published').count()).toBe(1)
  expect(await row.getByRole('button', { name: /^Connect again/ }).count()).toBe(0)
  await endSoon(id)
  await page.reload()
  await row.getByText('access ends in 5 days').waitFor()
  expect(await row.locator('.state.failed').count()).toBe(1)
  await row.getByRole('button', { name: /^Connect again/ }).click()
  const opening = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the link' }).click()
  const other = await opening
  await other.getByRole('button', { name: /^Connect with / }).click()
  await other.getByRole('button', { name: 'Authorize' }).click()
  await other.getByRole('heading', { level: 1, name: 'Connected' }).waitFor()
  await other.close()
  await page.keyboard.press('Escape')
  await row.getByText('access ends in 60 days').waitFor()
  expect(await connected('linkedin')).toMatchObject([{ id }])
  expect(wrong(desk)).toEqual([])
  // For the pictures of the next tests.
  await endSoon(id)
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
