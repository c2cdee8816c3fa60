import { expect, test } from 'vitest'
import { withoutDescriptions } from '../../infra/deploy/slim/descriptions.ts'

const imports = "import { described } from '../http/described.ts'\n"
const slim = (text: string) => withoutDescriptions(text, 'a.ts').replaceAll(/ +/g, ' ')

test('descriptions and examples go, and what they describe stays in its column', () => {
  const text = `${imports}const a = z.object({ b: described(z.string(), 'Words, (in brackets).') })`
  expect(slim(text)).toBe(`${imports}const a = z.object({ b: (z.string() ) })`)
  expect(withoutDescriptions(text, 'a.ts')).toHaveLength(text.length)
  expect(slim("const a = z.object({}).register(z.globalRegistry, { id: 'A', examples: [{}] })")).toBe(
    'const a = z.object({}) ',
  )
})

test('another function of the same name stays', () => {
  const text = "const described = (a: string) => ({ type: a })\nexport const b = { ...described('c') }"
  expect(withoutDescriptions(text, 'a.ts')).toBe(text)
})
