import { expect, test } from 'vitest'
import { update } from '../../../shared/db/table.ts'
import { credentials } from '../../../shared/identity/credential.ts'
import { hashPassword } from '../../../shared/identity/password.ts'
import { browserOf } from '../../pages/test-browser.ts'
import { password, serveFile, startClient } from './client.ts'

serveFile()

const common = ['password', '12345678', 'iloveyou', 'PASSWORD1']

test.each(common)('rejects the common password %s', async (chosen) => {
  const { send, signUp, signIn, resident, newAddress, tokens, letters } = startClient()
  const refused = { status: 400, body: { code: 'password_too_common' } }
  const email = newAddress()
  expect(await signUp(email, { password: chosen })).toMatchObject({ ...refused, body: { field: 'password' } })
  expect(letters(email)).toEqual([])

  const ann = await resident()
  const change = { token: ann.token, body: { currentPassword: password, newPassword: chosen } }
  expect(await send('POST', '/api/auth/change-password', change)).toMatchObject({
    ...refused,
    body: { field: 'newPassword', error: expect.stringContaining('most common passwords') },
  })
  await send('POST', '/api/auth/request-password-reset', { body: { email: ann.email } })
  const token = tokens(ann.email, 'reset-password')[0] ?? ''
  const reset = (newPassword: string) => send('POST', '/api/auth/reset-password', { body: { token, newPassword } })
  expect(await reset(chosen)).toMatchObject({ ...refused, body: { field: 'newPassword' } })
  // The refusal uses up nothing, and the old password stays.
  expect((await signIn(ann.email)).status).toBe(200)
  expect((await reset('another good password')).status).toBe(200)
})

test('rejects the email address and the name of the account as its password', async () => {
  const { signUp, newAddress } = startClient()
  const email = newAddress()
  const refused = { status: 400, body: { code: 'password_matches_account', field: 'password' } }
  expect(await signUp(email, { password: email })).toMatchObject(refused)
  expect(await signUp(email, { name: 'Annabella Novak', password: 'annabella novak' })).toMatchObject(refused)
})

test('an existing account with a common password can still sign in', async () => {
  const { ctx, signIn, resident } = startClient()
  const { email } = await resident()
  await update(ctx, credentials.key({ email }), { set: { passwordHash: await hashPassword('iloveyou') } })
  expect((await signIn(email, 'iloveyou')).status).toBe(200)
})

test('the pages show the error next to the field', async () => {
  const { url, newAddress } = startClient()
  const seen = await browserOf({ url }).send('/sign-up', { email: newAddress(), name: 'Ann', password: 'iloveyou' })
  expect(seen.status).toBe(400)
  expect(seen.text).toMatch(/<p class="error" id="password-error">Password is one of the most common passwords/)
})
