import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Slug, slugOf, withSuffix } from '../../shared/workspaces/slug.ts'

test('any name makes a slug that the API itself would take, also with a suffix', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }), (name) => {
      const slug = slugOf(name)
      expect(z.parse(Slug, slug)).toBe(slug)
      expect(z.safeParse(Slug, withSuffix(slug)).success).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['Café Müller & Söhne', 'cafe-muller-sohne'],
  ['  ACME  ', 'acme'],
  ['ﬁne ½', 'fine-1-2'],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
])('%s becomes %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('a name without Latin letters gets a random slug, each time another one', () => {
  expect(slugOf('日本語')).toMatch(/^workspace-[0-9a-z]{6}$/)
  expect(slugOf('日本語')).not.toBe(slugOf('日本語'))
})

test.each(['ab', '-abc', 'abc-', 'a_b', 'Abc', 'a'.repeat(41), 'äbc', 'abc\n'])('%j is no slug', (text) => {
  expect(z.safeParse(Slug, text).success).toBe(false)
})

test.each(['abc', 'a-b', 'a--b', '0'.repeat(40)])('%s is a slug', (text) => {
  expect(z.safeParse(Slug, text).success).toBe(true)
})
