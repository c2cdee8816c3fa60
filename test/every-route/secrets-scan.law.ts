import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeScanner } from '../support/world/secrets/scan.ts'
import type { Secret } from '../support/world/secrets/secret.ts'

// What the service does with its secrets is shown where everything is walked through: in rights.law.ts.

const secretOf = (text: string): Secret => ({ kind: 'token', name: 'any', text })
const secrets = fc.stringMatching(/^[\w!?"&+/ -]{12,50}$/)
const noise = fc.string({ maxLength: 40 })

const forms: Readonly<Record<string, (text: string, before: string, after: string) => string>> = {
  plain: (text, before, after) => before + text + after,
  'JSON in JSON': (text, before, after) => JSON.stringify(JSON.stringify({ before, text, after })),
  base64: (text, before, after) => Buffer.from(before + text + after).toString('base64'),
  base64url: (text, before, after) => Buffer.from(before + text + after).toString('base64url'),
  hex: (text, before, after) => Buffer.from(before + text + after).toString('hex'),
  'URL-encoded': (text, before, after) => encodeURIComponent((before + text + after).toWellFormed()),
  form: (text) => String(new URLSearchParams({ text })),
}

test.each(Object.keys(forms))('detects a secret encoded as %s in any context', (name) => {
  fc.assert(
    fc.property(secrets, noise, noise, (text, before, after) => {
      const secret = secretOf(text)
      return makeScanner([secret])(forms[name]?.(text, before, after) ?? '').has(secret)
    }),
  )
})

test('detects the middle part of a token and the raw bytes of a key', () => {
  const inner = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V'
  const token = secretOf(`svc_pat_0123456789ababcd_${inner}check0`)
  expect([...makeScanner([token])(`{"secret":"${inner}"}`)]).toEqual([token])
  const key: Secret = { kind: 'ours', name: 'key', text: '', bytes: new Uint8Array(32).fill(7) }
  expect([...makeScanner([key])(Buffer.alloc(40, 7).toString('base64'))]).toEqual([key])
})

test('reports nothing that is absent', () => {
  fc.assert(
    fc.property(secrets, noise, noise, (text, before, after) => {
      fc.pre(!(before + after).includes(text))
      return makeScanner([secretOf(text)])(before + after).size === 0
    }),
  )
})
