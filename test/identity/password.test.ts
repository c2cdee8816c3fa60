import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkPassword, decoyHash, hashPassword, isOutdated } from '../../shared/identity/password.ts'

const text64 = (text: string, encoding: BufferEncoding) =>
  Buffer.from(text, encoding).toString('base64').replaceAll('=', '')

const stored = (cost: string, salt: string, keyHex: string) =>
  `$scrypt$${cost}$${text64(salt, 'utf8')}$${text64(keyHex, 'hex')}`

// RFC 7914, section 12.
test.each([
  [
    'password',
    stored(
      'ln=10,r=8,p=16',
      'NaCl',
      'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640',
    ),
  ],
  [
    'pleaseletmein',
    stored(
      'ln=14,r=8,p=1',
      'SodiumChloride',
      '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
    ),
  ],
])('the published vector of %s holds', async (password, hash) => {
  expect(await checkPassword(password, hash)).toBe(true)
  expect(await checkPassword(`${password}!`, hash)).toBe(false)
  expect(isOutdated(hash)).toBe(true)
})

test('a hash has the current format and cost, with a salt', async () => {
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(one).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(one).not.toBe(two)
  expect(isOutdated(one)).toBe(false)
  expect(await checkPassword('correct horse', one)).toBe(true)
})

test('the same characters are the same password in any Unicode normalization', async () => {
  const hash = await hashPassword('Gr\u00fc\u00dfe-Gr\u00fc\u00dfe')
  expect(await checkPassword('Gru\u0308\u00dfe-Gru\u0308\u00dfe', hash)).toBe(true)
})

test('the decoy costs as much as a real hash', async () => {
  expect(decoyHash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(await checkPassword('', decoyHash)).toBe(false)
})

test('a higher cost is current, a lower one is outdated', () => {
  const key = decoyHash.slice(decoyHash.indexOf('$', 9))
  expect(isOutdated(`$scrypt$ln=17,r=8,p=1${key}`)).toBe(false)
  expect(isOutdated(`$scrypt$ln=15,r=8,p=2${key}`)).toBe(true)
})

test('every other password is rejected', async () => {
  const cheap = stored('ln=10,r=8,p=16', 'NaCl', 'fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162')
  await fc.assert(
    fc.asyncProperty(fc.string({ maxLength: 128 }), async (guess) => {
      expect(await checkPassword(guess, cheap)).toBe(guess === 'password')
    }),
    { numRuns: 50 },
  )
})
