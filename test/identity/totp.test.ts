import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchingStep, newTotpSecret, otpauthUri, stepSeconds, totpCode } from '../../shared/identity/totp.ts'
import { hashRecoveryCode, newRecoveryCodes, readRecoveryCode } from '../../shared/identity/two-factor.ts'

/** The ASCII text 12345678901234567890 of both documents, in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

// RFC 6238, appendix B, SHA-1: the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %d the app shows %s', (second, code) => {
  expect(totpCode(secret, second * 1000)).toBe(code)
  expect(matchingStep(secret, code, second * 1000, 0)).toBe(Math.floor(second / stepSeconds))
})

// RFC 4226, appendix D.
test.each([
  '755224',
  '287082',
  '359152',
  '969429',
  '338314',
  '254676',
  '287922',
  '162583',
  '399871',
  '520489',
])('the published code %s matches its counter', (code) => {
  const codes = Array.from({ length: 10 }, (_, step) => totpCode(secret, step * stepSeconds * 1000))
  expect(codes).toContain(code)
})

test('a code is valid from 30 seconds before its time step until 30 seconds after it, and never after a code of its step or later was used', () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 2 ** 31 }), fc.integer({ min: -90, max: 90 }), (step, driftSeconds) => {
      const own = newTotpSecret()
      const atMs = step * stepSeconds * 1000
      const code = totpCode(own, atMs)
      const nowMs = atMs + driftSeconds * 1000
      const isIn = driftSeconds >= -stepSeconds && driftSeconds < 2 * stepSeconds
      // By chance two steps near each other have one code.
      const near = [-4, -3, -2, -1, 1, 2, 3, 4].map((n) => totpCode(own, atMs + n * stepSeconds * 1000))
      fc.pre(!near.includes(code))
      const matched = matchingStep(own, code, nowMs, 0)
      return (
        (matched === step) === isIn &&
        matchingStep(own, code, nowMs, step) === undefined &&
        matchingStep(own, code.slice(1), nowMs, 0) === undefined
      )
    }),
    { numRuns: 500 },
  )
})

test('the otpauth URL names issuer, account, and secret', () => {
  const uri = new URL(otpauthUri(secret, 'ann+x@example.com'))
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Social Publishing:ann+x@example.com',
  ])
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret,
    issuer: 'Social Publishing',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('recovery codes are ten, distinct, and accepted in any format; their hash is bound to the secret', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/)
    const typed = ` ${code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')} `
    expect(hashRecoveryCode(secret, typed)).toBe(hashRecoveryCode(secret, code))
    expect(hashRecoveryCode(newTotpSecret(), code)).not.toBe(hashRecoveryCode(secret, code))
  }
  for (const other of ['', '123456', 'abcd-abcd-abcd', 'u'.repeat(16)]) expect(readRecoveryCode(other)).toBeUndefined()
})
