import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { type Kit, start } from '../support/start.ts'
import { makePerson, password } from '../support/world/preparations.ts'
import { launch, openPhone } from './launch.ts'
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

/**
 * A subscription at the stand-in instead of one at the push service of the browser's maker, which is on the internet. All
 * else of the browser is real: permission, service worker, and notification.
 */
const subscribeHere = async (page: Page) => {
  await page.exposeFunction('subscribeAtStandIn', (key: string) => kit.push.subscribe(key))
  await page.addInitScript(`
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      if (!userVisibleOnly) throw new Error('not visible')
      const key = btoa(String.fromCharCode(...applicationServerKey)).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=/g, '')
      const json = await subscribeAtStandIn(key)
      return { toJSON: () => json }
    }
  `)
}

/** What the service worker is given for a message, as the push service of the browser would. */
const deliver = async (page: Page, data: string) => {
  const cdp = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    })
  })
  await cdp.send('ServiceWorker.enable')
  const registrationId = await registered
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: kit.url, registrationId, data })
}

/** What the browser shows. */
const shownBy = (page: Page): Promise<unknown> =>
  page.evaluate(`navigator.serviceWorker.ready
    .then((registration) => registration.getNotifications())
    .then((shown) => shown.map(({ title, body, tag, data }) => ({ title, body, tag, data })))`)

test.each([
  'light',
  'dark',
] as const)('registers a browser, shows a test message, and saves settings (%s)', async (scheme) => {
  const { email } = await makePerson(kit)
  const phone = await openPhone(browser, scheme)
  const { page } = phone
  await page.context().grantPermissions(['notifications'], { origin: kit.url })
  await subscribeHere(page)
  const press = (name: string) => page.getByRole('button', { name }).click()

  await page.goto(`${kit.url}/notifications`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await press('Sign in')
  await look(phone, 'Notifications', { scripts: 1 })

  await press('Notify this browser')
  await page.getByRole('status').waitFor()
  await phone.photograph('notifications-registered')
  expect(await page.locator('main').innerText()).toMatch(/Chrome on Linux/)

  await press('Send a test')
  await page.getByText('The test is on its way').waitFor()
  await kit.service.drain()
  const sent = kit.push.messages().at(-1)
  const { title, body, tag, url } = sent ?? {}
  await deliver(page, JSON.stringify({ title, body, tag, url }))
  await expect
    .poll(() => shownBy(page))
    .toEqual([{ title: 'Test notification', body, tag, data: { url: `${kit.url}/notifications` } }])

  await page.locator('[id="post.publish_failed:mail"]').uncheck()
  await press('Save')
  await page.getByText('Your choices were saved.').waitFor()
  expect(await page.locator('[id="post.publish_failed:mail"]').isChecked()).toBe(false)
  await press('Remove')
  await page.getByText('No device is registered.').waitFor()
  await phone.photograph('notifications-saved')
  expect(phone.complaints).toEqual([])
})

test('a browser that blocks notifications shows a message', async () => {
  const { email } = await makePerson(kit)
  const { token } = await client({ baseUrl: kit.url }).auth.signIn({ body: { email, password } })
  const phone = await openPhone(browser, 'light')
  const { page } = phone
  await page.context().addCookies([{ name: 'svc_session', value: token, url: kit.url }])
  await page.addInitScript(`Notification.requestPermission = async () => 'denied'`)
  await page.goto(`${kit.url}/notifications`)
  await page.getByRole('button', { name: 'Notify this browser' }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').innerText()).toMatch(/^Notifications are blocked for this site/)
  await phone.photograph('notifications-blocked')
})
