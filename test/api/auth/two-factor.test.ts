import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { turnOffTwoFactor } from '../../../shared/identity/change-two-factor.ts'
import { signIn } from '../../../shared/identity/sign-in.ts'
import { stepSeconds, totpCode } from '../../../shared/identity/totp.ts'
import { twoFactors } from '../../../shared/identity/two-factor.ts'
import { browserOf } from '../../pages/test-browser.ts'
import { type Kit, start } from '../../support/start.ts'
import { makeSignedIn, makeTwoFactor, password } from '../../support/world/preparations.ts'
import { scanTable } from '../../support/world/rows.ts'
import { refusalOf } from '../answers.ts'

let kit: Kit

beforeAll(async () => {
  // Five wrong codes.
  kit = await start({ rateLimits: { auth: { calls: 10, perSeconds: 900 } } })
}, 120_000)
afterAll(() => kit.close())
beforeEach(() => kit.clock.pass(86_400_000))

const nextStep = () => kit.clock.pass(stepSeconds * 1000)
const apiOf = (token: string) => client({ baseUrl: kit.url, token }).auth
const subjects = async (email: string) => {
  await kit.service.drain()
  return kit.mail.outbox().flatMap(({ to, subject }) => (to.includes(email) ? [subject] : []))
}

/** Signs in from an address, past the limit of addresses. */
const enter = (email: string, code?: string, ip = '198.51.100.7', secret = password) =>
  signIn(kit.ctx, { email, password: secret, ...(code === undefined ? {} : { code }) }, { userAgent: 'node', ip }).then(
    () => 'in',
    (error: { details: { code: string } }) => error.details.code,
  )

/** The same by HTTP. */
const post = async (body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(`${kit.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

test('a stolen password alone does not sign in to an account with a second factor', async () => {
  const { email, nextCode, token } = await makeTwoFactor(kit)
  expect(await post({ email, password })).toMatchObject({
    status: 403,
    body: { code: 'two_factor_required', field: 'code' },
  })
  expect(await post({ email, password, code: '000000' })).toMatchObject({
    status: 401,
    body: { code: 'invalid_two_factor_code', field: 'code' },
  })
  const { status, body } = await post({ email, password, code: nextCode() })
  expect([status, body.data]).toEqual([200, expect.objectContaining({ redirect: false, token: expect.any(String) })])
  expect(await apiOf(token).getSession()).toMatchObject({ twoFactorEnabled: true })
  expect(await subjects(email)).toContain('Two-factor authentication was turned on')
})

test('without the correct password, a caller neither learns of the second factor nor can try a code', async () => {
  const { email, nextCode } = await makeTwoFactor(kit)
  expect(await post({ email, password: 'not the password' })).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  })
  expect(await post({ email, password: 'not the password', code: nextCode() })).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  })
  expect(await enter(email, nextCode())).toBe('in')
})

test('a code works once, even for ten concurrent sign-ins', async () => {
  const { email, nextCode } = await makeTwoFactor(kit)
  const code = nextCode()
  const answers = await Promise.all(Array.from({ length: 4 }, () => enter(email, code)))
  expect(answers.sort()).toEqual([
    'in',
    'invalid_two_factor_code',
    'invalid_two_factor_code',
    'invalid_two_factor_code',
  ])
  nextStep()
  expect(await enter(email, code)).toBe('invalid_two_factor_code')
  expect(await enter(email, nextCode())).toBe('in')
})

test('each recovery code signs an owner without their app in once and sends an email', async () => {
  const { email, recoveryCodes } = await makeTwoFactor(kit)
  const [first = '', second = ''] = recoveryCodes
  expect(recoveryCodes).toHaveLength(10)
  expect(await enter(email, first)).toBe('in')
  expect(await enter(email, first)).toBe('invalid_two_factor_code')
  expect(await enter(email, second.toUpperCase().replaceAll('-', ' '))).toBe('in')
  expect((await subjects(email)).filter((subject) => subject === 'A recovery code was used')).toHaveLength(2)
})

test('guessing codes with the correct password is rate limited, and the owner can still sign in from known locations', async () => {
  const { email, nextCode } = await makeTwoFactor(kit)
  const home = '198.51.100.1'
  expect(await enter(email, nextCode(), home)).toBe('in')
  const guesses = []
  for (let n = 0; n < 7; n += 1) guesses.push(await enter(email, `00000${n}`, `203.0.113.${n}`))
  expect(guesses).toEqual([...Array(5).fill('invalid_two_factor_code'), 'rate_limited', 'rate_limited'])
  nextStep()
  expect(await enter(email, nextCode(), '203.0.113.99')).toBe('rate_limited')
  expect(await enter(email, nextCode(), home)).toBe('in')
})

test('correct codes do not count as guesses', async () => {
  const { email, nextCode } = await makeTwoFactor(kit)
  for (let n = 0; n < 8; n += 1) {
    expect(await enter(email, nextCode())).toBe('in')
    nextStep()
  }
})

test('a password reset does not turn off the second factor', async () => {
  const { email, nextCode } = await makeTwoFactor(kit)
  const { auth } = client({ baseUrl: kit.url })
  await auth.requestPasswordReset({ body: { email } })
  const [, token = ''] =
    /token=(\w+)/.exec(kit.mail.outbox().findLast(({ to }) => to.includes(email))?.text ?? '') ?? []
  await auth.resetPassword({ body: { token, newPassword: 'another good password' } })
  expect(await enter(email, undefined, '127.0.0.1', 'another good password')).toBe('two_factor_required')
  expect(await enter(email, nextCode(), '127.0.0.1', 'another good password')).toBe('in')
})

test('turning it off requires the password and a code; an operator can turn it off for an owner who lost both', async () => {
  const one = await makeTwoFactor(kit)
  const off = (code: string, secret = password) =>
    refusalOf(apiOf(one.token).disableTwoFactor({ body: { password: secret, code } }))
  expect(await off(one.nextCode(), 'not the password')).toMatchObject({ status: 403, code: 'incorrect_password' })
  expect(await off('000000')).toMatchObject({ status: 401, code: 'invalid_two_factor_code' })
  expect(await enter(one.email)).toBe('two_factor_required')
  const body = { password, code: one.nextCode() }
  expect(await apiOf(one.token).disableTwoFactor({ body })).toEqual({ twoFactorEnabled: false })
  expect(await enter(one.email)).toBe('in')
  expect(await apiOf(one.token).getSession()).toMatchObject({ twoFactorEnabled: false })

  const two = await makeTwoFactor(kit)
  await turnOffTwoFactor(kit.ctx, two.email)
  expect(await enter(two.email)).toBe('in')
  for (const { email } of [one, two])
    expect(await subjects(email)).toContain('Two-factor authentication was turned off')
})

test('new recovery codes invalidate the old ones', async () => {
  const { email, token, recoveryCodes, nextCode } = await makeTwoFactor(kit)
  const replaced = await apiOf(token).replaceRecoveryCodes({ body: { password, code: nextCode() } })
  expect(await enter(email, recoveryCodes[0])).toBe('invalid_two_factor_code')
  expect(await enter(email, replaced.recoveryCodes[9])).toBe('in')
  expect(await subjects(email)).toContain('Your recovery codes were replaced')
})

test('an enrollment has no effect until its first code, expires after an hour, and requires the password', async () => {
  const { email, token } = await makeSignedIn(kit)
  const auth = apiOf(token)
  expect(await refusalOf(auth.enrollTwoFactor({ body: { password: 'not it' } }))).toMatchObject({
    status: 403,
    code: 'incorrect_password',
  })
  expect(await refusalOf(auth.confirmTwoFactor({ body: { code: '123456' } }))).toMatchObject({
    code: 'two_factor_not_enrolled',
  })
  const first = await auth.enrollTwoFactor({ body: { password } })
  expect(first.otpauthUri).toContain(first.secret)
  expect(await enter(email)).toBe('in')
  const { secret } = await auth.enrollTwoFactor({ body: { password } })
  const confirm = (own: string) => auth.confirmTwoFactor({ body: { code: totpCode(own, kit.clock.now()) } })
  expect(await refusalOf(confirm(first.secret))).toMatchObject({
    status: 400,
    code: 'enrollment_code_mismatch',
    field: 'code',
  })
  kit.clock.pass(3_600_000)
  expect(await refusalOf(confirm(secret))).toMatchObject({ status: 409, code: 'two_factor_not_enrolled' })
  const third = await auth.enrollTwoFactor({ body: { password } })
  await confirm(third.secret)
  expect(await refusalOf(auth.enrollTwoFactor({ body: { password } }))).toMatchObject({
    status: 409,
    code: 'two_factor_already_enabled',
  })
})

test('the secret is stored encrypted and the recovery codes hashed, both bound to their user', async () => {
  const { email, secret, recoveryCodes } = await makeTwoFactor(kit)
  const rows = JSON.stringify(await scanTable(kit))
  for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
    expect(rows).not.toContain(text)
  }
  const [factor, other] = [await twoFactors.get(kit.ctx, { email }), await makeTwoFactor(kit)]
  expect(factor?.recovery).toHaveLength(10)
  const foreign = await twoFactors.get(kit.ctx, { email: other.email })
  expect(foreign?.dataKey).not.toBe(factor?.dataKey)
})

test('the sign-in page asks for the code in a second step without JavaScript, then continues to the original page', async () => {
  const { email, nextCode } = await makeTwoFactor(kit)
  const someone = browserOf(kit)
  const loginPage = await someone.send('/login', { email, password, return: '/device' })
  expect([loginPage.status, loginPage.heading]).toEqual([200, 'Enter your code'])
  expect(loginPage.text).not.toContain(password)
  expect(someone.token()).toBeUndefined()
  const wrong = await someone.submit(loginPage, 'login', { code: '000000' })
  expect([wrong.status, wrong.heading]).toEqual([401, 'Enter your code'])
  expect(wrong.text).toContain('The code is wrong')
  const entered = await someone.submit(wrong, 'login', { code: nextCode() })
  expect([entered.status, entered.to]).toEqual([303, '/device'])
  expect(someone.token()).toMatch(/^svc_ses_/)
  // The step is used up with the sign-in.
  nextStep()
  const again = await browserOf(kit).submit(loginPage, 'login', { code: nextCode() })
  expect([again.status, again.heading]).toEqual([400, 'Sign in'])
})

test('the second step of the page expires after five minutes, or when the password changes', async () => {
  const { email, nextCode, token } = await makeTwoFactor(kit)
  const begin = (secret: string) => browserOf(kit).send('/login', { email, password: secret })
  const late = await begin(password)
  kit.clock.pass(300_000)
  expect((await browserOf(kit).submit(late, 'login', { code: nextCode() })).text).toContain('longer than five minutes')
  const old = await begin(password)
  await apiOf(token).changePassword({ body: { currentPassword: password, newPassword: 'another good password' } })
  expect((await browserOf(kit).submit(old, 'login', { code: nextCode() })).heading).toBe('Sign in')
  const fresh = await begin('another good password')
  expect((await browserOf(kit).submit(fresh, 'login', { code: nextCode() })).to).toBe('/console')
})
