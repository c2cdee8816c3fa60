import { afterAll, beforeAll, expect, test } from 'vitest'
import { put } from '../../shared/db/table.ts'
import { sessions } from '../../shared/identity/session.ts'
import { tokenPattern } from '../../shared/identity/token.ts'
import { ownPage } from '../../shared/pages/own-page.ts'
import { type Kit, start } from '../support/start.ts'
import { makePerson, makeSession, password, requestReset, signUp } from '../support/world/preparations.ts'
import { browserOf, hiddenIn, unescaped } from './test-browser.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const invitation = `/invite?token=${'a'.repeat(43)}`

test('the correct password sets an HttpOnly session cookie and returns to the original page', async () => {
  const person = await makePerson(kit)
  const browser = browserOf(kit)
  const page = await browser.open('/device')
  expect([page.status, page.to]).toEqual([303, '/login?return=%2Fdevice'])
  const login = await browser.open(page.to ?? '')
  expect(hiddenIn(login, 'login')).toEqual({ return: '/device' })
  const sent = await browser.submit(login, 'login', person)
  expect([sent.status, sent.to]).toEqual([303, '/device'])
  expect(sent.headers.get('Set-Cookie')).toMatch(
    /^svc_session=svc_ses_\w+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  )
  expect((await browser.open('/device')).heading).toBe('Sign in a device')
  expect((await browser.open('/workspaces')).text).toContain(person.email)
})

test('signing out ends the session and clears the cookie', async () => {
  const token = await makeSession(kit)
  const browser = browserOf(kit, token)
  const page = await browser.open('/workspaces')
  const sent = await browser.submit(page, 'sign-out')
  expect([sent.status, sent.to]).toEqual([303, '/login?notice=signed-out'])
  expect(sent.headers.get('Set-Cookie')).toMatch(/^svc_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax$/)
  expect((await browser.open(sent.to ?? '')).text).toContain('You are signed out.')
  expect((await browserOf(kit, token).open('/device')).to).toBe('/login?return=%2Fdevice')
  const answer = await fetch(`${kit.url}/api/auth/get-session`, { headers: { Authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(401)
})

test('wrong credentials show the form again with the address, never with the password', async () => {
  const { email } = await makePerson(kit)
  const browser = browserOf(kit)
  const sent = await browser.send('/login', { email, password: 'not the password', return: '/device' })
  expect([sent.status, sent.heading]).toEqual([401, 'Sign in'])
  expect(sent.text).toContain('role="alert">The email address or the password is wrong.')
  expect(sent.text).toContain(`value="${email}"`)
  expect(sent.text).not.toContain('not the password')
  expect(hiddenIn(sent, 'login')).toEqual({ return: '/device' })
  expect(sent.headers.get('Set-Cookie')).toBeNull()
})

test('field errors appear below their fields, linked to them, with escaped values', async () => {
  const sent = await browserOf(kit).send('/sign-up', { email: 'ann', password: 'short', name: '"><b>Ann' })
  expect(sent.status).toBe(400)
  expect(sent.text).toContain('aria-describedby="email-error" aria-invalid="true"')
  expect(sent.text).toContain('id="email-error">Email address must be an email address')
  expect(sent.text).toContain('value="&quot;&gt;&lt;b&gt;Ann"')
  expect(sent.text).not.toContain('<b>')
})

test('the cookie opens pages and nothing below /api', async () => {
  const token = await makeSession(kit)
  const cookie = { Cookie: `svc_session=${token}` }
  expect((await fetch(`${kit.url}/login`, { headers: cookie })).status).toBe(200)
  expect((await fetch(`${kit.url}/api/auth/get-session`, { headers: cookie })).status).toBe(401)
  const asBearer = await browserOf(kit).open('/device', { Authorization: `Bearer ${token}` })
  expect(asBearer.to).toBe('/login?return=%2Fdevice')
})

test.each([
  ['a personal access token', () => kit.pat],
  ['an invalid token', () => 'svc_ses_nothing'],
  ['an expired session', () => expired()],
])('%s in the cookie does not sign in', async (_, make) => {
  expect((await browserOf(kit, await make()).open('/device')).to).toBe('/login?return=%2Fdevice')
})

const expired = async () => {
  const token = await makeSession(kit)
  const [, , userId = '', id = ''] = tokenPattern.exec(token) ?? []
  const row = await sessions.get(kit.ctx, { userId, id })
  if (row === undefined) throw new Error('the session is not there')
  await put(kit.ctx, sessions.item({ ...row, expiresAt: new Date(kit.clock.now()).toISOString() }))
  return token
}

test.each([
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'unheard-of',
])('the sign-in page ignores the unknown notice %s', async (notice) => {
  const page = await browserOf(kit).open(`/login?notice=${notice}`)
  expect([page.status, page.heading]).toEqual([200, 'Sign in'])
  expect(page.text).not.toContain('class="notice"')
})

test('a form that requires a session is accepted only with the CSRF token of that session', async () => {
  const [mine, other] = [browserOf(kit, await makeSession(kit)), browserOf(kit, await makeSession(kit))]
  const keys = hiddenIn(await other.open('/workspaces'), 'sign-out')
  for (const fields of [{}, { form_key: '' }, { form_key: 'x'.repeat(43) }, keys]) {
    expect((await mine.send('/sign-out', fields)).status).toBe(403)
  }
  expect((await mine.open('/workspaces')).heading).toBe('Your workspaces')
})

const unsafeTargets = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%2Fevil.example',
  '/device/../../evil',
  '/..//evil.example',
  '/device\n',
  '/\t/evil.example',
  'device',
  '/device?user_code=BCDF-GHJK&next=//evil.example',
  '/device#//evil.example',
  '/device@evil.example',
  'javascript:alert(1)',
  '/invite?token=a/b',
  '/api/auth/sign-out',
  '',
]

test.each(unsafeTargets)('never redirects to %j', async (target) => {
  expect(ownPage(target)).toBeUndefined()
  const person = browserOf(kit, await makeSession(kit))
  const page = await person.open(`/login?${new URLSearchParams({ return: target })}`)
  expect([page.status, page.to]).toEqual([303, '/console'])
  const signedOut = await person.submit(await person.open('/workspaces'), 'sign-out', { return: target })
  expect(signedOut.to).toBe('/login?notice=signed-out')
})

test('the emailed link opens a page, and only its button verifies', async () => {
  const { email, token } = await signUp(kit)
  const letter = kit.mail.outbox().findLast(({ to }) => to.includes(email))
  expect(letter?.text).toContain(`${kit.url}/verify-email?token=${token}\n`)
  const chosen = 'waits for its link'
  const browser = browserOf(kit)
  for (let scanned = 0; scanned < 3; scanned += 1) await browser.open(`/verify-email?token=${token}`)
  expect((await browser.send('/login', { email, password: chosen })).status).toBe(403)
  const sent = await browser.submit(await browser.open(`/verify-email?token=${token}`), 'verify-email')
  expect(sent.to).toBe('/login?notice=verified')
  expect((await browser.open(sent.to ?? '')).text).toContain('Your address is verified.')
  const again = await browser.submit(await browser.open(`/verify-email?token=${token}`), 'verify-email')
  expect([again.status, again.heading]).toEqual([400, 'This link does not work'])
  expect(again.text).toContain('This link was already used, and the email address is verified. Sign in.')
  expect((await browser.send('/login', { email, password: chosen })).to).toBe('/console')
})

test('a sign-up on the way to an invitation returns to it through the email', async () => {
  const browser = browserOf(kit)
  const email = 'invited@mail.test'
  const form = await browser.open(`/sign-up?${new URLSearchParams({ return: invitation })}`)
  const sent = await browser.submit(form, 'sign-up', { email, password, name: 'Ivy' })
  expect((await browser.open(sent.to ?? '')).heading).toBe('Check your email')
  const letter = kit.mail.outbox().findLast(({ to }) => to.includes(email))
  const [, link = ''] = /(\/verify-email\?\S+)/.exec(letter?.text ?? '') ?? []
  const verified = await browser.submit(await browser.open(link), 'verify-email')
  const signedIn = await browser.submit(await browser.open(verified.to ?? ''), 'login', { email, password })
  expect(signedIn.to).toBe(invitation)
})

test('the emailed link sets a new password', async () => {
  const { email } = await makePerson(kit)
  const browser = browserOf(kit)
  const sentPage = await browser.submit(await browser.open('/forgot-password'), 'forgot-password', { email })
  expect((await browser.open(sentPage.to ?? '')).heading).toBe('Check your email')
  const letter = kit.mail.outbox().findLast(({ to }) => to.includes(email))
  const [, link = ''] = /(\/reset-password\?\S+)/.exec(letter?.text ?? '') ?? []
  const form = await browser.open(link)
  const short = await browser.submit(form, 'reset-password', { newPassword: 'short' })
  expect(short.status).toBe(400)
  expect(unescaped(short.text)).toContain('New password must have at least 8 characters.')
  const sent = await browser.submit(short, 'reset-password', { newPassword: 'another good password' })
  expect(sent.to).toBe('/login?notice=password-changed')
  expect((await browser.send('/login', { email, password })).status).toBe(401)
  expect((await browser.send('/login', { email, password: 'another good password' })).to).toBe('/console')
})

test('a used link shows a page that says so', async () => {
  const token = await requestReset(kit)
  const choose = () => browserOf(kit).send('/reset-password', { token, newPassword: 'another good password' })
  expect((await choose()).status).toBe(303)
  expect(await choose()).toMatchObject({ status: 400, heading: 'This link does not work' })
  expect(await browserOf(kit).open(`/reset-password?token=${token}`)).toMatchObject({ status: 400 })
})

test('tokens of links appear in no log line', () => {
  expect(kit.logged.join('\n')).not.toMatch(/token=|svc_ses/)
})

test.each([
  ['/device?user_code=ABCD-EFGH', 'Sign in to approve your device.'],
  ['/invite?token=abc', 'Sign in to accept your invitation.'],
])('the sign-in page before %s says what it is for', async (path, purpose) => {
  const page = await browserOf(kit).open(`/login?return=${encodeURIComponent(path)}`)
  expect(page.text).toContain(`<p>${purpose}</p>`)
  expect((await browserOf(kit).open('/login?return=%2Fworkspaces')).text).not.toContain('<p>Sign in to')
})
