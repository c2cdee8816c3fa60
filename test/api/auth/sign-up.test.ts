import { expect, test } from 'vitest'
import { serveFile, startClient } from './client.ts'

serveFile()

test('a new address and a taken one get the same response, and the owner of the taken one gets an email', async () => {
  const { signUp, signIn, newcomer, newAddress, letters, links } = startClient()
  const [fresh, owner] = [newAddress(), await newcomer()]
  const first = await signUp(fresh)
  const second = await signUp(owner.email.toUpperCase(), { password: 'a stranger chose this' })
  expect(first).toMatchObject({ status: 200, body: { success: true, data: { verificationRequired: true } } })
  expect([second.status, second.text]).toEqual([first.status, first.text])
  expect([...second.headers.keys()]).toEqual([...first.headers.keys()])

  expect(links(fresh)).toHaveLength(1)
  expect(letters(owner.email).map(({ subject }) => subject)).toEqual([
    'Verify your email address',
    'You already have an account',
  ])
  expect((await signIn(owner.email)).status).toBe(200)
  expect((await signIn(owner.email, 'a stranger chose this')).status).toBe(401)
})

test('concurrent sign-ups with one address create one account', async () => {
  const { signUp, signIn, send, newAddress, links } = startClient()
  const email = newAddress()
  const passwords = ['password one', 'password two', 'password three']
  const answers = await Promise.all(passwords.map((chosen) => signUp(email, { password: chosen })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const opened = await Promise.all(links(email).map((link) => send('GET', link)))
  expect(opened.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  const signedIn = await Promise.all(passwords.map((chosen) => signIn(email, chosen)))
  expect(signedIn.map(({ status }) => status).sort()).toEqual([200, 401, 401])
})

test('a link confirms the password of its own sign-up, not one that a stranger chose later', async () => {
  const { signUp, signIn, send, newAddress, links } = startClient()
  const email = newAddress()
  await signUp(email, { password: 'mine, chosen first' })
  await signUp(email, { password: 'a stranger chose this' })
  const [mine, strangers] = links(email)
  expect((await send('GET', mine ?? '')).status).toBe(200)
  expect(await send('GET', strangers ?? '')).toMatchObject({ status: 400, body: { code: 'email_already_verified' } })
  expect((await signIn(email, 'mine, chosen first')).status).toBe(200)
  expect((await signIn(email, 'a stranger chose this')).status).toBe(401)
})

test('emails never echo the input of the request', async () => {
  const { signUp, newAddress, letters } = startClient()
  const email = newAddress()
  await signUp(email, { name: 'Win at casino.example now' })
  expect(letters(email)[0]?.text).toContain('verify')
  expect(JSON.stringify(letters(email))).not.toContain('casino')
})

test.each([
  ['email', { email: 'ann' }, 'must be an email address, such as ann@example.com'],
  ['email', { email: 'ann@example.com\r\nBcc: bob@example.com' }, 'must be an email address'],
  ['email', { email: `${'a'.repeat(250)}@example.com` }, 'must have at most 254 characters'],
  ['password', { password: '1234567' }, 'must have at least 8 characters'],
  ['password', { password: 'x'.repeat(129) }, 'must have at most 128 characters'],
  ['name', { name: '   ' }, 'must have at least 1 character'],
  ['name', { name: 'x'.repeat(81) }, 'must have at most 80 characters'],
  ['name', { name: 'half \ud83d' }, 'must not contain half of a surrogate pair'],
  ['name', { name: undefined }, 'is required'],
  ['role', { role: 'owner' }, 'is not a known field'],
])('rejects a wrong %s and states the rule', async (field, over, rule) => {
  const { signUp, newAddress, mail } = startClient()
  const before = mail.outbox().length
  const { status, body } = await signUp(newAddress(), over)
  expect({ status, field: body.field }).toEqual({ status: 400, field })
  expect(body.error).toContain(`"${field}" ${rule}`)
  expect(mail.outbox()).toHaveLength(before)
})
