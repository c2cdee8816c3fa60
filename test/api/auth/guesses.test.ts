import { expect, test } from 'vitest'
import { client } from '../../../functions/client.ts'
import { start } from '../../support/start.ts'
import { makePerson } from '../../support/world/preparations.ts'

test('guessing the password within a session is rate limited and does not block sign-in', async () => {
  const kit = await start({ rateLimits: { auth: { calls: 10, perSeconds: 900 } } })
  const person = await makePerson(kit)
  const { auth } = client({ baseUrl: kit.url })
  const { token } = await auth.signIn({ body: person })
  const guess = () =>
    fetch(`${kit.url}/api/auth/change-password`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ currentPassword: 'a guess', newPassword: 'another good password' }),
    })
  const statuses = (await Promise.all(Array.from({ length: 6 }, guess))).map(({ status }) => status)
  // Half as many as one address may send.
  expect(statuses.sort()).toEqual([...Array(5).fill(403), 429])
  expect((await auth.signIn({ body: person })).token).toMatch(/^svc_ses_/)
})
