import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { random62 } from '../../shared/ids.ts'
import { type Kit, start } from '../support/start.ts'
import { makeMember } from '../support/world/preparations.ts'
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
afterEach(async () => {
  for (const { id } of await kit.sessionApi.webhooks.list()) await kit.sessionApi.webhooks.delete({ params: { id } })
})

const hookUrl = (name: string) => `${kit.inbox.url}/hooks/${name}`

const endpointNamed = async (name: string) => {
  const endpoint = (await kit.sessionApi.webhooks.list()).find((each) => each.name === name)
  if (endpoint === undefined) throw new Error(`There is no endpoint ${name}.`)
  return endpoint
}

const create = (name: string) =>
  kit.sessionApi.webhooks.create({ body: { name, url: hookUrl(name), events: ['post.scheduled'] } })

const closeDialog = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click()

const schedulePost = (content: string) =>
  kit.api.posts.schedule({
    body: {
      socialAccountIds: [kit.accounts.bluesky],
      content,
      scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })

test('an endpoint is created with its secret, edited, paused, activated, tested, rotated, and deleted', async () => {
  const phone = await openConsole(browser, kit, '#/webhooks')
  const { page } = phone
  await page.getByText('No endpoints yet.').waitFor()
  await page.getByRole('button', { name: 'Add endpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add endpoint' })
  await dialog.getByLabel('Name').fill('Orders')
  await dialog.getByLabel(/^URL/).fill('http://10.0.0.1/hooks')
  await dialog.getByLabel(/^post\.scheduled/).check()
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await dialog.locator('.alert').waitFor()
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Orders')
  expect(await dialog.getByLabel(/^post\.scheduled/).isChecked()).toBe(true)
  await dialog.getByLabel(/^URL/).fill(hookUrl('orders'))
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  const secret = (await dialog.locator('.secret').textContent()) ?? ''
  expect(secret).toMatch(/^whsec_/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByText('Copied.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
  await closeDialog(page)
  const { id, ...created } = await endpointNamed('Orders')
  expect(created).toMatchObject({ url: hookUrl('orders'), events: ['post.scheduled'], enabled: true })
  expect(created.secretHint).toBe(`whsec_…${secret.slice(-4)}`)

  await page.getByRole('button', { name: 'Edit Orders' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Orders' })
  expect(await edit.getByLabel(/^post\.scheduled/).isChecked()).toBe(true)
  await edit.getByLabel('Name').fill('Shop')
  await edit.getByLabel(/^post\.published/).check()
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Shop' }).waitFor()
  expect(await endpointNamed('Shop')).toMatchObject({ id, events: ['post.scheduled', 'post.published'] })

  await page.getByRole('button', { name: 'Pause Shop' }).click()
  await page.getByRole('button', { name: 'Activate Shop' }).waitFor()
  expect((await endpointNamed('Shop')).enabled).toBe(false)
  await page.getByRole('button', { name: 'Activate Shop' }).click()
  await page.getByRole('button', { name: 'Pause Shop' }).waitFor()
  expect((await endpointNamed('Shop')).enabled).toBe(true)

  await page.getByRole('button', { name: 'Send a test Shop' }).click()
  await page.getByRole('img', { name: '0 of the last 1 attempts failed' }).waitFor()
  await page.getByText('Last attempts (1)').click()
  await page.getByText('succeeded, HTTP 200').waitFor({ timeout: 20_000 })
  expect(kit.inbox.deliveries()).toMatchObject([{ endpoint: 'orders', verified: true }])

  const { secretHint } = await endpointNamed('Shop')
  await page.getByRole('button', { name: 'Rotate secret Shop' }).click()
  const rotate = page.getByRole('dialog', { name: 'Rotate secret Shop' })
  await rotate.getByLabel(/^Keep the old secret/).fill('0')
  await rotate.getByRole('button', { name: 'Rotate secret' }).click()
  const rotated = (await rotate.locator('.secret').textContent()) ?? ''
  expect(rotated).not.toBe(secret)
  await closeDialog(page)
  const after = await endpointNamed('Shop')
  expect(after.secretHint).not.toBe(secretHint)
  expect(after.secretHint).toBe(`whsec_…${rotated.slice(-4)}`)

  await page.getByRole('button', { name: 'Delete Shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No endpoints yet.').waitFor()
  expect(await kit.sessionApi.webhooks.list()).toEqual([])
  expect(wrong(phone)).toEqual([])
})

test('the events of a day are replayed with progress, and an attempt is delivered again', async () => {
  const { id } = await create('replayed')
  await schedulePost('To be replayed')
  const phone = await openConsole(browser, kit, '#/webhooks')
  const { page } = phone
  await page.getByText('Last attempts (1)').click()
  await page.getByText('succeeded, HTTP 200').waitFor({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Redeliver post.scheduled, attempt 1' }).click()
  await page.getByText('Sent again').waitFor()
  await page.getByRole('button', { name: 'Redeliver post.scheduled, attempt 2' }).waitFor()
  await page.getByRole('button', { name: 'Replay replayed' }).click()
  const dialog = page.getByRole('dialog', { name: 'Replay replayed' })
  await dialog.getByLabel('Events').selectOption({ label: 'All' })
  await phone.photograph('webhooks-replay')
  await dialog.getByRole('button', { name: 'Replay' }).click()
  await page.getByText('Replay done: 1 event.').waitFor({ timeout: 60_000 })
  const { items } = await kit.sessionApi.webhooks.listDeliveries({ params: { id }, query: { limit: 50 } })
  expect(items.map(({ cause }) => cause)).toEqual(['replay', 'redelivery', 'event'])
})

test.each(
  looks,
)('a post shows its deliveries, and delivers an event again on a %s, %o, in %s', async (device, viewport, scheme) => {
  const { id } = await create('shop')
  await kit.sessionApi.webhooks.update({ params: { id }, body: { events: ['post.published'] } })
  const body = { socialAccountIds: [kit.accounts.bluesky], content: `Told ${random62(4)}` }
  const [post] = await kit.api.posts.publishNow({ body })
  const phone = await openConsole(browser, kit, `#/post/${post?.id}`, { viewport, scheme })
  const { page } = phone
  await page.getByText('Received by 1 of 1 endpoint.').waitFor({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Redeliver post.published, attempt 1' }).click()
  await page.getByText('Sent again').waitFor()
  await page.getByRole('button', { name: 'Redeliver post.published, attempt 2' }).waitFor()
  await expectAccessible(page, 'a post with its deliveries')
  await phone.photograph(`post-deliveries-${device}`)
  expect(wrong(phone)).toEqual([])
})

test('an endpoint is deleted after the question; Escape leaves it, and the focus returns', async () => {
  const { id } = await create('keyboard')
  const { page } = await openConsole(browser, kit, '#/webhooks')
  await page.getByRole('button', { name: 'Pause keyboard' }).click()
  await page.getByText('Paused').waitFor()
  expect((await kit.sessionApi.webhooks.get({ params: { id } })).enabled).toBe(false)
  await page.getByRole('button', { name: 'Delete keyboard' }).click()
  const question = page.getByRole('dialog', { name: 'Delete keyboard' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Delete keyboard')
  await page.keyboard.press('Enter')
  await question.waitFor()
  // A key that follows before the browser reports that the window was closed.
  for (let n = 0; n < 5; n += 1) {
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Enter')])
    await question.waitFor()
  }
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No endpoints yet.').waitFor()
  expect(await kit.sessionApi.webhooks.list()).toEqual([])
})

test('a member sees who may view webhooks, and no webhooks', async () => {
  const { session } = await makeMember(kit)
  const phone = await openConsole(browser, { ...kit, sessionToken: session }, '#/webhooks')
  await phone.page.getByText('Only owners and admins can see webhooks.').waitFor()
  expect(phone.requested.filter((url) => url.includes('/api/webhooks'))).toEqual([])
  expect(await phone.page.getByRole('button', { name: 'Add endpoint' }).count()).toBe(0)
})

test.each(looks)('endpoints and their form can be read on a %s, %o, in %s', async (device, size, scheme) => {
  const { id } = await create(`look-${device}-${scheme}`)
  await kit.sessionApi.webhooks.sendTest({ params: { id } })
  const phone = await openConsole(browser, kit, '#/webhooks', { viewport: size, scheme })
  const { page } = phone
  await page.getByText('Last attempts (1)').click()
  await page.getByText('succeeded, HTTP 200').waitFor({ timeout: 20_000 })
  await phone.photograph(`webhooks-${device}`)
  await expectAccessible(page, 'webhooks')
  await page.getByRole('button', { name: `Edit look-${device}-${scheme}` }).click()
  await page.getByRole('dialog').waitFor()
  await phone.photograph(`webhooks-edit-${device}`)
  await expectAccessible(page, 'the form of an endpoint')
  expect(wrong(phone)).toEqual([])
})
