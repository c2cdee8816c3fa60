import type { Browser } from 'playwright-core'
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

const linkTo = (email: string, page: string) => {
  const letter = kit.mail.outbox().findLast(({ to }) => to.includes(email))
  return new RegExp(`\\S+/${page}\\?\\S+`).exec(letter?.text ?? '')?.[0] ?? ''
}

test.each(['light', 'dark'] as const)('signs in a device from its link to its session (%s)', async (scheme) => {
  const { email } = await makePerson(kit)
  const { cli } = client({ baseUrl: kit.url })
  const { deviceCode, verificationUriComplete } = await cli.startDeviceLogin({
    body: { clientName: 'social-cli 0.1.0' },
  })
  const phone = await openPhone(browser, scheme)
  const { page } = phone
  const press = (name: string) => page.getByRole('button', { name }).click()

  await page.goto(verificationUriComplete)
  await look(phone, 'Sign in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('not the password')
  await press('Sign in')
  await page.getByRole('alert').waitFor()
  await look(phone, 'Sign in')
  await phone.photograph('sign-in-refused')
  await page.getByLabel('Password').fill(password)
  await press('Sign in')

  await look(phone, 'Sign in a device')
  await page.getByLabel('Code').fill('BCDF')
  await press('Continue')
  await page.locator('#user_code-error').waitFor()
  await look(phone, 'Sign in a device')
  await phone.photograph('code-refused')
  await page.getByLabel('Code').fill(new URL(verificationUriComplete).searchParams.get('user_code') ?? '')
  await press('Continue')

  await look(phone, 'Did you start this?')
  await press('Yes, sign it in')
  await look(phone, 'Your device is signed in')
  const { token } = await cli.pollDeviceLogin({ body: { deviceCode } })
  expect((await client({ baseUrl: kit.url, token }).auth.getSession()).user.email).toBe(email)

  await page.goto(`${kit.url}/workspaces`)
  await look(phone, 'Your workspaces', { scripts: 1 })
  await press('Sign out')
  await look(phone, 'Sign in')
  await phone.photograph('signed-out')
})

test.each(['light', 'dark'] as const)('an invited person signs up and joins (%s)', async (scheme) => {
  const email = `guest-${scheme}@mail.test`
  await kit.sessionApi.team.invite({ params: { id: kit.workspaceId }, body: { email, role: 'member' } })
  const phone = await openPhone(browser, scheme)
  const { page } = phone
  const press = (name: string) => page.getByRole('button', { name }).click()

  await page.goto(linkTo(email, 'invite'))
  await look(phone, 'You are invited')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await look(phone, 'Create an account')
  await page.getByLabel('Your name').fill('Gus')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await press('Create the account')
  await look(phone, 'Check your email')

  await page.goto(linkTo(email, 'verify-email'))
  await look(phone, 'Verify your email address')
  await press('Verify my address')
  await look(phone, 'Sign in')
  await phone.photograph('verified')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await press('Sign in')

  await look(phone, 'You are invited')
  await phone.photograph('invited-signed-in')
  await press('Join as Gus')
  await look(phone, 'Welcome to Acme')
  const { items } = await kit.sessionApi.team.listMembers({ params: { id: kit.workspaceId } })
  expect(items.map((member) => member.email)).toContain(email)
})

test.each(['light', 'dark'] as const)('replaces a forgotten password (%s)', async (scheme) => {
  const { email } = await makePerson(kit)
  const phone = await openPhone(browser, scheme)
  const { page } = phone
  const press = (name: string) => page.getByRole('button', { name }).click()

  await page.goto(`${kit.url}/forgot-password`)
  await look(phone, 'Forgot your password?')
  await page.getByLabel('Email address').fill(email)
  await press('Send me a link')
  await look(phone, 'Check your email')
  await page.goto(linkTo(email, 'reset-password'))
  await look(phone, 'Choose a new password')
  await page.getByLabel('New password').fill('another good password')
  await press('Set the password')
  await look(phone, 'Sign in')
  await page.goto(`${kit.url}/invite?token=nothing`)
  await look(phone, 'Something went wrong')
})
