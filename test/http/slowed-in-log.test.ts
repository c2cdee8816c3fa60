import { expect, test } from 'vitest'
import { hashedEmail, securityLine } from '../../shared/security-log.ts'
import { browserOf } from '../pages/test-browser.ts'
import { start } from '../support/start.ts'

test('rate-limited password guesses are logged with the hash of the account', async () => {
  const kit = await start({ rateLimits: { auth: { calls: 4, perSeconds: 900 } } })
  const guess = { email: 'ann@mail.test', password: 'not the password' }
  for (let n = 0; n < 5; n += 1) await browserOf(kit).send('/login', guess)
  // What the seed did has no request.
  const lines = kit.logged.map((line) => JSON.parse(line)).filter((line) => line.message === securityLine && line.ip)
  const account = hashedEmail(guess.email)
  const failed = {
    level: 'warn',
    event: 'authn_login_fail',
    code: 'invalid_credentials',
    account,
    route: 'POST /login',
  }
  const slowed = { level: 'warn', event: 'excess_rate_limit_exceeded', code: 'rate_limited', route: 'POST /login' }
  // Two tries at one account, four calls of one address.
  expect(lines).toMatchObject([failed, failed, { ...slowed, account }, { ...slowed, account }, slowed])
  expect(JSON.stringify(lines)).not.toContain('@')
})
