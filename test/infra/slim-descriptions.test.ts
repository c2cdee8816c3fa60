import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dropDescriptions } from '../../infra/slim/descriptions.ts'

test.each([
  ["described(z.string(), 'A text.')", '(z.string())'],
  ['described(z.string(), "A (text", { id: \'Text\' })', '(z.string())'],
  [`described(\n  z.string(),\n  \`Up to \${max(1, \`\${2}\`)} of them.\`,\n)`, '(\n  z.string())'],
  ["described(described(a, 'In'), 'Out')", '((a))'],
  ["described(z.string().check(z.regex(/^[(/'\\])]$/)), 'A text.')", "(z.string().check(z.regex(/^[(/'\\])]$/)))"],
  ["described(a /* not, here */, 'b') // (\n+ described(c, 'd')", '(a /* not, here */) // (\n+ (c)'],
  ['const described = 1', 'const described = 1'],
])('%s', (source, expected) => {
  expect(dropDescriptions(source)).toBe(expected)
})

test('whatever the text is, only the schema stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, other) => {
      const source = `f(described(z.string().check(z.refine((a) => a !== ${JSON.stringify(other)})), ${JSON.stringify(text)}), 1)`
      expect(dropDescriptions(source)).toBe(`f((z.string().check(z.refine((a) => a !== ${JSON.stringify(other)}))), 1)`)
    }),
  )
})
