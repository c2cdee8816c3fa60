import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { mastodonSeed } from '../../infra/local/platforms/mastodon/seed.ts'
import { update } from '../../shared/db/table.ts'
import { socialAccounts } from '../../shared/social-accounts/social-account.ts'
import { dayMs, minuteMs } from '../../shared/time.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { makeSignedIn } from '../support/world/preparations.ts'
import { expectAccessible, looks, openConsole, sessionCookie, wrong } from './console.ts'
import { launch, openPhone } from './launch.ts'

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

const authorize = (page: Page, button = 'Authorize') => page.getByRole('button', { name: button }).click()

test('an account is connected in the console: straight to the login, and back with the outcome', async () => {
  const phone = await openConsole(browser, kit, '#/accounts')
  const { page } = phone
  const add = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await add('X')
  await authorize(page, 'Cancel')
  await page.getByText('X isn’t connected: you canceled the login.').waitFor()
  expect(await connected('x')).toEqual([])
  await add('X')
  await authorize(page)
  await page.getByText('Connected: X · demo').waitFor()
  expect(new URL(page.url())).toMatchObject({ search: '', hash: '#/accounts' })
  await page.getByRole('button', { name: /^Disconnect X/ }).waitFor()
  expect(await connected('x')).toHaveLength(1)
  // The outcome is news once.
  await page.reload()
  await page.getByRole('button', { name: /^Disconnect X/ }).waitFor()
  expect(await page.getByText('Connected: ').count()).toBe(0)
  expect(wrong(phone)).toEqual([])
})

test('what the console begins continues in no other session, and shows it no question', async () => {
  const link = await kit.sessionApi.socialAccounts.createLink({
    body: { platforms: ['x'], redirectUrl: `${kit.url}/console` },
  })
  const { page } = await openPhone(browser, 'light')
  const { token } = await makeSignedIn(kit)
  for (const sessionToken of ['', token]) {
    await page.context().addCookies([sessionCookie({ ...kit, sessionToken })])
    await page.goto(link.authorizeUrl)
    await page.getByRole('heading', { level: 1, name: 'Not connected' }).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
  }
  await page.context().addCookies([sessionCookie(kit)])
  await page.goto(link.authorizeUrl)
  await page.getByRole('button', { name: 'Authorize' }).waitFor()
})

test('accounts of one login are selected on the way back', async () => {
  const { page } = await openConsole(browser, kit, '#/accounts')
  await page.getByRole('button', { name: 'Facebook', exact: true }).click()
  await authorize(page)
  await page.getByRole('checkbox').nth(0).check()
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'Connect' }).click()
  await page.getByText(/^Connected: Facebook · .+, Facebook · /).waitFor()
  expect(await connected('facebook')).toHaveLength(2)
})

test('a platform of many servers asks for one, and comes back as well', async () => {
  const { page } = await openConsole(browser, kit, '#/accounts')
  await page.getByRole('button', { name: 'Mastodon', exact: true }).click()
  await page.getByRole('textbox').fill(mastodonSeed.server)
  await page.getByRole('button', { name: 'Connect with Mastodon' }).click()
  await authorize(page)
  await page.getByText(/^Connected: Mastodon · /).waitFor()
  expect(await connected('mastodon')).toHaveLength(1)
})

test('someone else connects an account by a link, which is listed as soon as its tab is left', async () => {
  const phone = await openConsole(browser, kit, '#/accounts')
  const { page } = phone
  await page.getByRole('button', { name: 'Send a link to someone else' }).click()
  await phone.photograph('accounts-link')
  const opening = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Open the link' }).click()
  const other = await opening
  await other.getByRole('button', { name: 'Connect with Threads' }).click()
  await other.getByRole('button', { name: 'Connect with Threads' }).click()
  await authorize(other)
  await other.getByRole('heading', { level: 1, name: 'Connected' }).waitFor()
  await other.close()
  // What a browser with a window does when its tab is shown again.
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await page.getByText(/^Threads · /).waitFor()
  expect(wrong(phone)).toEqual([])
})

test('an account is disconnected after the question, and connected again by its form', async () => {
  const { page } = await openConsole(browser, kit, '#/accounts')
  const name = /^Disconnect Bluesky/
  await page.getByRole('button', { name }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('not connected').waitFor()
  expect(await connected('bluesky')).toEqual([])
  await page.getByRole('button', { name: /^Reconnect Bluesky/ }).click()
  await page.getByLabel(/handle/i).fill(blueskySeed.account.handle)
  await page.getByLabel(/app password/i).fill(blueskySeed.account.appPassword)
  await page.getByRole('button', { name: /^Connect/ }).click()
  await page.getByText(/^Connected: Bluesky · /).waitFor()
  await page.getByRole('button', { name }).waitFor()
  expect(await connected('bluesky')).toMatchObject([{ id: kit.accounts.bluesky }])
})

const dateOf = (ms: number) => new Date(ms).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })

/** Moves the end of the access of an account to the last week. */
const endSoon = (id: string) => {
  const accessEndsAt = new Date(Date.now() + 5.1 * dayMs).toISOString()
  return update(kit.ctx, socialAccounts.key({ workspaceId: kit.workspaceId, id }), { set: { accessEndsAt } })
}

const reconnectBy = (days: number) => `reconnect by ${dateOf(Date.now() + days * dayMs)}`

test('an account whose access ends says until when it must be reconnected, and how in the last week', async () => {
  const id = await connectOn(kit, 'linkedin')
  const desk = await openConsole(browser, kit, '#/accounts')
  const { page } = desk
  const row = page.getByRole('listitem').filter({ hasText: /^LinkedIn · / })
  await row.getByText(reconnectBy(60)).waitFor()
  expect(await row.locator('.state.published').count()).toBe(1)
  expect(await row.getByRole('button', { name: /^Reconnect/ }).count()).toBe(0)
  await endSoon(id)
  await page.reload()
  await row.getByText(reconnectBy(5.1)).waitFor()
  expect(await row.locator('.state.failed').count()).toBe(1)
  await row.getByRole('button', { name: /^Reconnect/ }).click()
  await authorize(page)
  await row.getByText(reconnectBy(60)).waitFor()
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
  await page.getByRole('button', { name: 'Send a link to someone else' }).click()
  await page.getByRole('link', { name: 'Open the link' }).waitFor()
  await expectAccessible(page, 'the link')
  await page.keyboard.press('Escape')
  await phone.photograph(`accounts-${device}`)
  await expectAccessible(page, 'accounts')
})

test('a new workspace shows three steps to its first post, until it has one', async () => {
  const body = { name: 'Fresh', timezone: 'UTC' }
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body })
  const api = client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId })
  const desk = await openConsole(browser, kit, `?workspace=${workspaceId}`)
  const { page } = desk
  const steps = page.getByRole('region', { name: 'Your first post' }).getByRole('listitem')
  await steps.nth(2).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await desk.photograph('first-steps')
  await expectAccessible(page, 'first steps')
  expect(await steps.allInnerTexts()).toEqual(['Connect an account', 'Write a post', 'Schedule it'])
  await steps.nth(0).getByRole('link').click()
  await page.getByRole('button', { name: 'X', exact: true }).click()
  await authorize(page)
  await page.getByText(/^Connected: X · /).waitFor()
  await api.drafts.create({ body: { content: 'Hello' } })
  await page.getByRole('link', { name: 'Calendar' }).click()
  await expect.poll(() => steps.filter({ hasText: 'Done' }).count()).toBe(2)
  const [account] = await api.socialAccounts.list()
  const scheduledAt = new Date(Date.now() + 10 * minuteMs).toISOString()
  await api.posts.schedule({ body: { socialAccountIds: [account?.id ?? ''], content: 'Hello', scheduledAt } })
  await page.reload()
  await page.getByRole('link', { name: /Hello/ }).first().waitFor()
  expect(await steps.count()).toBe(0)
  expect(wrong(desk)).toEqual([])
})
