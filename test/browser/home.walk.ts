import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { blueskyLogin, makePerson } from '../support/world/preparations.ts'
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

test.each([
  'light',
  'dark',
] as const)('a newcomer makes a workspace, connects an account, and creates a token (%s)', async (scheme) => {
  const { email, password } = await makePerson(kit)
  const phone = await openPhone(browser, scheme)
  const { page } = phone
  const press = (name: string) => page.getByRole('button', { name }).click()

  await page.goto(kit.url)
  await look(phone, 'Schedule and publish posts to fifteen platforms')
  for (const [door, heading] of [
    ['Post from code', 'Quick start'],
    ['Plan by hand', 'Sign in'],
    ['Deploy on AWS', 'Deploy on AWS'],
  ] as const) {
    await page.getByRole('link', { name: door }).click()
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.goto(kit.url)
  }
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await press('Sign in')

  await look(phone, 'Your workspaces', { scripts: 1 })
  await page.getByLabel('Name').fill('Bakery at the corner')
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await press('Create')

  await page.getByRole('heading', { name: 'Your first post' }).waitFor()
  await phone.photograph('first-steps')
  expect(await page.getByLabel('Workspace').locator('option:checked').innerText()).toBe('Bakery at the corner')
  await page.getByRole('link', { name: 'Settings' }).click()
  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin')

  await page.goto(`${kit.url}/workspaces`)
  await page.getByRole('link', { name: 'Bakery at the corner' }).click()
  await look(phone, 'Bakery at the corner')
  await phone.photograph('workspace')
  await page.getByLabel('Handle').fill(blueskyLogin.identifier)
  await page.getByLabel('App password').fill('wrong')
  await press('Connect Bluesky')
  await page.getByRole('alert').or(page.locator('.error')).first().waitFor()
  await look(phone, 'Bakery at the corner')
  await page.getByLabel('App password').fill(blueskyLogin.appPassword)
  await press('Connect Bluesky')
  await page.getByRole('status').waitFor()
  await phone.photograph('connected')

  await page.getByLabel('Name of the token').fill('Program')
  await press('Create the token')
  await look(phone, 'Your token')
  await phone.photograph('token')
  expect(await page.locator('pre').first().textContent()).toMatch(/^svc_pat_/)
  await page.getByRole('link', { name: 'Back to the workspace' }).click()
  await look(phone, 'Bakery at the corner')
})

test('the time zone of the browser is chosen; without scripts, people type it', async () => {
  const { email, password } = await makePerson(kit)
  const open = async (options: object) => {
    const page = await (await browser.newContext(options)).newPage()
    await page.goto(`${kit.url}/login?return=/workspaces`)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Your workspaces' }).waitFor()
    return page
  }
  const page = await open({ timezoneId: 'Asia/Tokyo' })
  const list = page.getByRole('combobox', { name: 'Time zone' })
  expect(await list.inputValue()).toBe('Asia/Tokyo')
  expect(await list.locator('option').count()).toBeGreaterThan(300)
  const plain = await open({ javaScriptEnabled: false })
  await plain.getByLabel('Name').fill('Bakery')
  await plain.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Nowhere')
  await plain.getByRole('button', { name: 'Create' }).click()
  await plain.locator('#timezone-error').waitFor()
})
