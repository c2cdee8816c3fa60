import type { Browser, Locator, Page } from 'playwright-core'
import decode from 'qr/decode.js'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { totpCode } from '../../shared/identity/totp.ts'
import { join, makePerson } from '../deletion/people.ts'
import { type Kit, start } from '../support/start.ts'
import { makeConnection, makeMember, password } from '../support/world/preparations.ts'
import { expectAccessible, looks, openConsole, wrong } from './console.ts'
import { deskSize, launch, phoneSize } from './launch.ts'

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

const ofWorkspace = () => ({ params: { id: kit.workspaceId } })

const open = (section: string, sessionToken = kit.sessionToken) =>
  openConsole(browser, { ...kit, sessionToken }, `#/settings/${section}`)

const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** A user with a password, who is an admin of the workspace. */
const makeAdmin = async () => {
  const person = await makePerson(kit)
  await join(kit, kit.sessionApi, kit.workspaceId, person)
  return person
}

test.each(looks)('every section can be read on a %s, %o, in %s', async (device, viewport, scheme) => {
  await makeMember(kit)
  await makeConnection(kit)
  const phone = await openConsole(browser, kit, '#/settings/workspace', { viewport, scheme })
  const { page } = phone
  const list = page.getByRole('navigation', { name: 'Settings' })
  const sections = ['Workspace', 'Team', 'Assistants', 'Usage', 'Audit trail']
  for (const name of [...sections, 'Tokens', 'Sessions', 'Two-factor', 'Password']) {
    await list.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.locator('main').filter({ hasNotText: 'Loading…' }).waitFor()
    await phone.photograph(`settings-${device}-${name.replaceAll(' ', '-').toLowerCase()}`)
    await expectAccessible(page, name)
  }
  expect(wrong(phone)).toEqual([])
})

test('the workspace gets another name and time zone, also in the header, and keeps what was not changed', async () => {
  const { page } = await open('workspace')
  await page.getByLabel('Name', { exact: true }).fill('Acme Bakery')
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await page.getByLabel(/^Brand color/).fill('green')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.alert').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Acme Bakery')
  await kit.sessionApi.workspaces.update({ ...ofWorkspace(), body: { logo: 'https://example.com/logo.png' } })
  await page.getByLabel(/^Brand color/).fill('#1f5fd6')
  await page.getByLabel(/^Redirect URLs/).fill('https://example.com/back\nhttps://example.com/other')
  await page.getByLabel('Assistants can act for members of this workspace').uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Changes saved').waitFor()
  expect(await kit.sessionApi.workspaces.get(ofWorkspace())).toMatchObject({
    name: 'Acme Bakery',
    timezone: 'Europe/Berlin',
    brandColor: '#1f5fd6',
    assistantsEnabled: false,
    logo: 'https://example.com/logo.png',
    redirectUrls: ['https://example.com/back', 'https://example.com/other'],
  })
  await page.getByRole('option', { name: 'Acme Bakery' }).waitFor({ state: 'attached' })
  const body = {
    name: 'Acme',
    timezone: 'UTC',
    redirectUrls: [],
    logo: null,
    brandColor: null,
    assistantsEnabled: true,
  }
  await kit.sessionApi.workspaces.update({ ...ofWorkspace(), body })
})

test('the owner invites, changes a role, suspends, reactivates, and removes; an admin becomes the owner', async () => {
  const { page } = await open('team')
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByRole('dialog').getByLabel('Email').fill('new@mail.test')
  await page.getByRole('dialog').getByLabel('Role').selectOption('admin')
  await confirm(page, 'Invite')
  await page.getByRole('cell', { name: 'new@mail.test', exact: true }).waitFor()
  const { items } = await kit.sessionApi.team.listInvitations({ ...ofWorkspace(), query: { limit: 10 } })
  expect(items).toMatchObject([{ email: 'new@mail.test', role: 'admin' }])
  await page.getByRole('button', { name: 'Revoke new@mail.test' }).click()
  await confirm(page, 'Revoke')
  await page.getByText('No pending invitations').waitFor()

  const { userId, email, token } = await makeAdmin()
  const member = async () => {
    const { items } = await kit.sessionApi.team.listMembers({ ...ofWorkspace(), query: { limit: 200 } })
    return items.find((each) => each.userId === userId)
  }
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: email })
  await row.getByRole('button', { name: /^Change to member/ }).click()
  await row.getByRole('button', { name: /^Change to admin/ }).waitFor()
  expect(await member()).toMatchObject({ role: 'member' })
  await row.getByRole('button', { name: /^Suspend/ }).click()
  await confirm(page, 'Suspend')
  await row.getByRole('button', { name: /^Reactivate/ }).waitFor()
  expect(await member()).toMatchObject({ status: 'suspended' })
  await row.getByRole('button', { name: /^Reactivate/ }).click()
  await row.getByRole('button', { name: /^Transfer ownership/ }).click()
  await confirm(page, 'Transfer ownership')
  await row.getByRole('cell', { name: 'owner', exact: true }).waitFor()
  expect(await member()).toMatchObject({ role: 'owner', status: 'active' })
  // The former owner is an admin, who is offered nothing that only the owner can do.
  expect(await row.getByRole('button').count()).toBe(0)

  const other = await open('team', token)
  const former = other.page.getByRole('row').filter({ hasText: kit.user.email })
  await former.getByRole('button', { name: /^Transfer ownership/ }).click()
  await confirm(other.page, 'Transfer ownership')
  await former.getByRole('cell', { name: 'owner', exact: true }).waitFor()
  await page.reload()
  await row.getByRole('button', { name: /^Remove/ }).click()
  await confirm(page, 'Remove')
  await row.waitFor({ state: 'detached' })
  expect(await member()).toBeUndefined()
})

test('a member sees the team and nothing to change in it, reads no audit trail, and leaves', async () => {
  const { session, userId } = await makeMember(kit)
  const { page, requested } = await open('team', session)
  const row = page.getByRole('row').filter({ hasText: kit.user.email })
  await row.waitFor()
  await page.getByRole('button', { name: 'Leave workspace' }).waitFor()
  expect(await page.locator('main').getByRole('button').count()).toBe(1)
  expect(await page.getByRole('link', { name: 'Audit trail' }).count()).toBe(0)
  await page.goto(`${kit.url}/console#/settings/audit`)
  await page.getByText('Only owners and admins can see this.').waitFor()
  await page.goto(`${kit.url}/console#/settings/workspace`)
  await page.getByText(kit.workspaceId).waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  expect(requested.filter((url) => /\/(?:audit|invitations)/.test(url))).toEqual([])
  await page.goto(`${kit.url}/console#/settings/team`)
  await page.getByRole('button', { name: 'Leave workspace' }).click()
  await confirm(page, 'Leave workspace')
  await page.getByRole('heading', { name: 'Your workspaces' }).waitFor()
  const { items } = await kit.sessionApi.team.listMembers({ ...ofWorkspace(), query: { limit: 200 } })
  expect(items.map((each) => each.userId)).not.toContain(userId)
})

test('a token is created with its scopes, used, and revoked', async () => {
  const { page } = await open('tokens')
  await page.getByRole('button', { name: /^Create token/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Name/).fill('Oven')
  await dialog.getByLabel(/^drafts:write/).check()
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = (await page.locator('.secret').textContent()) ?? ''
  const withToken = client({ baseUrl: kit.url, workspaceId: kit.workspaceId, token })
  await withToken.drafts.create({ body: { content: 'With the new token' } })
  await expect(withToken.media.list({ query: { limit: 1 } })).rejects.toThrow(/scope/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Revoke Oven' }).click()
  await confirm(page, 'Revoke')
  await page.getByText(/^revoked /).waitFor()
  await expect(withToken.drafts.list({ query: { limit: 1 } })).rejects.toThrow(/revoked/)
})

test('one session is ended, then all others, and this one is signed out', async () => {
  const { token, email } = await makeAdmin()
  const signIn = () => client({ baseUrl: kit.url }).auth.signIn({ body: { email, password } })
  const sessionsOf = async () =>
    (await client({ baseUrl: kit.url, token }).auth.listSessions({ query: { limit: 50 } })).items.length
  for (let n = 0; n < 2; n += 1) await signIn()
  const userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
  const headers = { 'User-Agent': userAgent, 'Content-Type': 'application/json' }
  await fetch(`${kit.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  const desk = await open('sessions', token)
  const { page } = desk
  expect(await page.getByTitle(userAgent).innerText()).toBe('Chrome on Linux')
  await page
    .getByRole('button', { name: /^End Unknown|^End node/ })
    .first()
    .click()
  await page.getByText('Signed out').waitFor()
  expect(await sessionsOf()).toBe(3)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await confirm(page, 'Sign out everywhere else')
  await page.getByText('Signed out everywhere else').waitFor()
  expect(await sessionsOf()).toBe(1)
  await page.getByRole('button', { name: 'Your menu' }).click()
  await page.getByText(email).waitFor()
  await desk.photograph('person-menu')
  await expectAccessible(page, 'the menu')
  await page.getByRole('link', { name: 'Settings' }).last().click()
  await page.getByRole('heading', { level: 1, name: 'Workspace' }).waitFor()
  await page.getByText(email).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Your menu' }).click()
  await page.getByRole('button', { name: 'Sign out' }).last().click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect(sessionsOf()).rejects.toThrow(/revoked/)
})

/** What a camera reads from a QR code on the page. */
const scan = async (code: Locator): Promise<string> => {
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decode({ width: info.width, height: info.height, data })
}

test('a second factor is turned on, its recovery codes are replaced, and it is turned off', async () => {
  const { token } = await makeAdmin()
  const { auth } = client({ baseUrl: kit.url, token })
  const isOn = async () => (await auth.getSession()).twoFactorEnabled
  const phone = await open('two-factor', token)
  const { page } = phone
  await page.getByLabel('Your password').fill('not the password')
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.locator('.alert').getByText('That password isn’t right.').waitFor()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Set up' }).click()
  const secret =
    (await page.getByText('Key', { exact: true }).locator('xpath=following-sibling::dd').textContent()) ?? ''
  const uri = await page.getByRole('link', { name: 'open it in the app' }).getAttribute('href')
  expect(uri).toMatch(new RegExp(`^otpauth://totp/.*[?&]secret=${secret}&`))
  for (const { size, ...media } of [
    { size: deskSize, colorScheme: 'dark' },
    { size: phoneSize, colorScheme: 'light' },
  ] as const) {
    await page.setViewportSize(size)
    await page.emulateMedia(media)
    await phone.photograph(`two-factor-${size.width}`)
    expect(await scan(page.getByRole('img', { name: 'QR code' }))).toBe(uri)
    await expectAccessible(page, 'two-factor')
  }
  await page.getByLabel(/^Code/).fill(totpCode(secret, Date.now()))
  await page.getByRole('button', { name: 'Enable' }).click()
  const codesShown = async () => ((await page.locator('.secret').textContent()) ?? '').split('\n')
  const codes = await codesShown()
  expect(codes).toHaveLength(10)
  expect(await isOn()).toBe(true)
  await page.getByRole('button', { name: 'Generate new codes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByLabel(/^Code/).fill(codes[0] ?? '')
  await confirm(page, 'Generate new codes')
  const replaced = ((await dialog.locator('.secret').textContent()) ?? '').split('\n')
  expect(replaced).not.toEqual(codes)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByLabel(/^Code/).fill(replaced[0] ?? '')
  await confirm(page, 'Turn off')
  await page.getByText('Off: only your password is needed.').waitFor()
  expect(await isOn()).toBe(false)
})

test('the password is changed with the present one', async () => {
  const { token, email } = await makeAdmin()
  const { page } = await open('password', token)
  const next = 'a loaf of rye and a loaf of wheat'
  await page.getByLabel('Your password').fill('wrong')
  await page.getByLabel('New password').fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.locator('.alert').getByText('The current password is wrong.').waitFor()
  expect(await page.getByLabel('New password').inputValue()).toBe(next)
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText(/^Password changed/).waitFor()
  await client({ baseUrl: kit.url }).auth.signIn({ body: { email, password: next } })
})

test('the audit trail is filtered by person and action, and goes on to older entries', async () => {
  const { name } = await kit.sessionApi.workspaces.get(ofWorkspace())
  for (let n = 0; n < 52; n += 1) {
    await kit.sessionApi.workspaces.update({ ...ofWorkspace(), body: { name: `${name} ${n}` } })
  }
  await kit.sessionApi.workspaces.update({ ...ofWorkspace(), body: { name } })
  const { page } = await open('audit?action=workspace.updated')
  const rows = page.getByRole('row')
  await page.getByText(`name: ${name} 51 → ${name}`).waitFor()
  expect(await rows.count()).toBe(51)
  await page.getByRole('link', { name: 'Older entries' }).click()
  await page.getByText(`name: ${name} → ${name} 0`).waitFor()
  await page.getByLabel(/^Change/).selectOption('token.created')
  await page.getByRole('cell', { name: 'token.created' }).first().waitFor()
  expect(await page.getByRole('cell', { name: 'workspace.updated' }).count()).toBe(0)
  const targets = page.getByRole('cell').getByRole('link')
  const first = (await targets.first().textContent()) ?? ''
  await targets.first().click()
  await page.getByRole('link', { name: 'Show all changes' }).waitFor()
  await targets.first().waitFor()
  expect(new Set(await targets.allTextContents())).toEqual(new Set([first]))
})

test('an assistant is disconnected', async () => {
  await makeConnection(kit)
  const { page } = await open('assistants')
  await page
    .getByRole('button', { name: /^Disconnect/ })
    .first()
    .waitFor()
  for (;;) {
    const count = await page.getByRole('button', { name: /^Disconnect/ }).count()
    if (count === 0) break
    await page
      .getByRole('button', { name: /^Disconnect/ })
      .first()
      .click()
    await confirm(page, 'Disconnect')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: /^Disconnect/ })
      .nth(count - 1)
      .waitFor({ state: 'detached' })
  }
  await page.getByText('No assistants yet.').waitFor()
  const { total } = await kit.sessionApi.workspaces.listConnections({ ...ofWorkspace(), query: { limit: 1 } })
  expect(total).toBe(0)
})
