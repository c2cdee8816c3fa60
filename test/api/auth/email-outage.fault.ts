import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import type { FunctionEffect } from '../../../infra/local/service/invocation.ts'
import { random62 } from '../../../shared/ids.ts'
import { hourMs, minuteMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { password, settle } from '../../support/world/preparations.ts'
import { scanTable } from '../../support/world/rows.ts'

let kit: Kit
let refusal: Error | undefined

beforeAll(async () => {
  const observe = (effect: FunctionEffect, run: () => Promise<unknown>) =>
    refusal && effect.service === 'ses' ? Promise.reject(refusal) : run()
  kit = await start({ observe: (effect, run) => observe(effect, run) as ReturnType<typeof run> })
}, 120_000)
afterAll(() => kit.close())
beforeEach(() => {
  refusal = undefined
})

/** What the SDK throws (SES API reference v2, SendEmail, "Errors"). */
const refusals: Readonly<Record<string, Error>> = {
  'the role is denied': Object.assign(new Error('User is not authorized to perform ses:SendEmail'), {
    name: 'AccessDeniedException',
  }),
  'the account is in the sandbox': Object.assign(
    new Error('Email address is not verified. The following identities failed the check: ann@example.com'),
    { name: 'MessageRejected' },
  ),
  'the sender is not verified': Object.assign(new Error('not verified'), {
    name: 'MailFromDomainNotVerifiedException',
  }),
  'the account sends too much': Object.assign(new Error('Maximum sending rate exceeded.'), {
    name: 'TooManyRequestsException',
  }),
  'SES does not respond': Object.assign(new Error('no response'), { name: 'TimeoutError' }),
  'SES fails': Object.assign(new Error('oops'), { name: 'InternalFailure', $metadata: { httpStatusCode: 500 } }),
}

const api = () => client({ baseUrl: kit.url })
const newAddress = () => `ann.${random62(10).toLowerCase()}@example.com`
const letters = (email: string) => kit.mail.outbox().filter(({ to }) => to.includes(email))
const tokenIn = (email: string) => /token=(\w+)/.exec(letters(email).at(-1)?.text ?? '')?.[1] ?? ''
const signUp = (email: string) => api().auth.signUp({ body: { email, password, name: 'Ann' } })
const signIn = (email: string, chosen = password) => api().auth.signIn({ body: { email, password: chosen } })
const unsent = async () => (await scanTable(kit)).filter(({ type }) => type === 'UnsentEmail')
const passMinutes = (minutes: number) => kit.service.pass(minutes * minuteMs, { tickMinutes: 1 })

test.each(Object.entries(refusals))('a sign-up succeeds when %s, and its email comes later', async (_, error) => {
  const email = newAddress()
  refusal = error
  expect(await signUp(email)).toEqual({ verificationRequired: true })
  await passMinutes(10)
  expect(letters(email)).toEqual([])
  const lines = kit.logged.map((line) => JSON.parse(line)).filter(({ message }) => message === 'an email was not sent')
  expect(lines.at(-1)).toMatchObject({ level: 'error', reason: `SES did not take the email: ${error.name}` })
  expect(JSON.stringify(lines)).not.toContain('@')
  refusal = undefined
  await passMinutes(20)
  expect(letters(email).map(({ subject }) => subject)).toEqual(['Verify your email address'])
  await api().auth.verifyEmail({ query: { token: tokenIn(email) } })
  expect(await signIn(email)).toMatchObject({ user: { email } })
  expect(await unsent()).toEqual([])
})

test('every route that emails a stranger succeeds while SES rejects, and sends its email later', async () => {
  const [known, pending, unknown] = [newAddress(), newAddress(), newAddress()]
  await settle(kit.ctx, known, 'Ann')
  await signUp(pending)
  refusal = refusals['SES fails']
  await signUp(known)
  await api().auth.resendVerification({ body: { email: pending } })
  await api().auth.resendVerification({ body: { email: unknown } })
  await api().auth.requestPasswordReset({ body: { email: known } })
  await api().auth.requestPasswordReset({ body: { email: unknown } })
  expect(await unsent()).toHaveLength(5)
  refusal = undefined
  await passMinutes(3)
  const subjects = (email: string) =>
    letters(email)
      .map(({ subject }) => subject)
      .sort()
  expect(subjects(known)).toEqual(['Reset your password', 'You already have an account'])
  expect(subjects(pending)).toEqual(['Verify your email address', 'Verify your email address'])
  expect(subjects(unknown)).toEqual([
    'No account uses this email address',
    'Sign up again to verify your email address',
  ])
  expect(await unsent()).toEqual([])
})

test('the link of a password reset that was sent later works for an hour', async () => {
  const email = newAddress()
  await settle(kit.ctx, email, 'Ann')
  refusal = refusals['SES fails']
  await api().auth.requestPasswordReset({ body: { email } })
  await passMinutes(30)
  refusal = undefined
  await passMinutes(16)
  kit.clock.pass(hourMs - 20 * minuteMs)
  const newPassword = 'another good password'
  await api().auth.resetPassword({ body: { token: tokenIn(email), newPassword } })
  expect(await signIn(email, newPassword)).toMatchObject({ user: { email } })
})

test('an email that comes too late is not sent', async () => {
  const email = newAddress()
  await settle(kit.ctx, email, 'Ann')
  refusal = refusals['SES fails']
  await api().auth.requestPasswordReset({ body: { email } })
  kit.clock.pass(hourMs)
  refusal = undefined
  await passMinutes(20)
  expect(letters(email)).toEqual([])
  expect(await unsent()).toEqual([])
})

test('an invitation that cannot be emailed is reported to the person who invites', async () => {
  refusal = refusals['the role is denied']
  const sent = kit.sessionApi.team.invite({
    params: { id: kit.workspaceId },
    body: { email: newAddress(), role: 'member' },
  })
  await expect(sent).rejects.toMatchObject({ status: 503, code: 'email_not_sent' })
})
