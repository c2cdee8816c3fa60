import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonPasswordCount } from '../../shared/identity/common-passwords.ts'
import { assertStrongPassword, commonPasswords } from '../../shared/identity/weak-password.ts'

const ann = { email: 'ann.lee@example.com', name: 'Ann Lee-Gold' }
const refusal = (password: string) => {
  try {
    assertStrongPassword(password, ann, 'password')
    return undefined
  } catch (error) {
    return error as { details: { code: string } }
  }
}
const codeOf = (password: string) => refusal(password)?.details.code

test('the list contains lowercase passwords of at least eight characters', () => {
  const list = [...commonPasswords()]
  expect(list).toHaveLength(commonPasswordCount)
  expect(list.length).toBeGreaterThan(15_000)
  expect(list.filter((password) => password.length < 8 || password !== password.toLowerCase())).toEqual([])
  expect(list).toEqual([...list].sort())
})

test('rejects every password of the list, in any letter case', () => {
  const list = [...commonPasswords()]
  fc.assert(fc.property(fc.mixedCase(fc.constantFrom(...list)), (written) => codeOf(written) === 'password_too_common'))
})

test.each(['zzzzzzzzzzzz', '\u00e9'.repeat(9), '____________'])('rejects one repeated character, %s', (password) => {
  expect(codeOf(password)).toBe('password_too_common')
})

test.each([
  'ann.lee@example.com',
  'Ann.Lee',
  'ann lee gold',
  'AnnLeeGold',
  'Social Publishing',
  'social-publishing-service',
])('rejects a password that is a name of the account or the service, %s', (password) => {
  expect(codeOf(password)).toBe('password_matches_account')
})

test.each([
  'correct horse battery',
  '8 Zeichen',
  'fünf Wörter auf Deutsch bitte',
  'xkqzvwjy',
])('accepts %s, because no rule demands kinds of characters', (password) => {
  expect(refusal(password)).toBeUndefined()
})
