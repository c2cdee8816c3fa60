import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownPage } from '../../shared/pages/own-page.ts'

test('redirects stay on this site for any input', () => {
  const odd = fc.string({ unit: fc.constantFrom('/', '\\', '.', ':', '@', '?', '#', '%', '\t', '\n', 'd', 'evil') })
  const near = fc
    .tuple(fc.constantFrom('/device', '/login', '/invite?token=a', '/authorize?a=', '/', ''), odd)
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(near, odd, fc.string()), (text) => {
      const target = ownPage(text)
      if (target === undefined) return
      const led = new URL(target.replace(/^\//, ''), 'https://own.example/live/login')
      expect([led.origin, led.pathname.split('/').length]).toEqual(['https://own.example', 3])
    }),
    { numRuns: 500 },
  )
})

test.each([
  '/login',
  '/notifications',
  '/workspaces',
  '/workspace?id=ws_01M838BC138TTJ1DMXQFXZXRP9',
  '/device',
  '/device?user_code=BCDF-GHJK',
  '/invite?token=abc',
  '/authorize?client_id=https%3A%2F%2Fa.example%2Fclient.json&state=a+b',
])('%s is a page of this site', (target) => {
  expect(ownPage(target)).toBe(target)
})
