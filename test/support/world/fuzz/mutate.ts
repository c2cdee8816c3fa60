import * as fc from 'fast-check'
import { foreignMembers, nastyValues } from './corpus.ts'

/** How a request is mutated; what must then not be taken says so. */
interface Mutated {
  body: string | Uint8Array<ArrayBuffer>
  /** Why it must be refused; undefined if unknown. */
  mustRefuse: string | undefined
}

type Path = readonly (string | number)[]

const pathsIn = (value: unknown, path: Path = []): Path[] => {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value)
    .slice(0, 20)
    .flatMap(([name, member]) => pathsIn(member, [...path, Array.isArray(value) ? Number(name) : name]))
  return [path, ...inner]
}

const replaceAt = (value: unknown, [name, ...rest]: Path, by: unknown): unknown => {
  if (name === undefined || typeof value !== 'object' || value === null) return by
  if (Array.isArray(value)) return value.with(Number(name), replaceAt(value[Number(name)], rest, by))
  const members = new Map<string, unknown>(Object.entries(value))
  members.set(String(name), replaceAt(members.get(String(name)), rest, by))
  return Object.fromEntries(members)
}

const removeAt = (value: unknown, name: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
    : value

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

const bytes = (text: string) => new TextEncoder().encode(text)

/** Mutations of a value: one changed path, a member too many or too few. */
const mutatedValue = (value: unknown): fc.Arbitrary<{ value: unknown; mustRefuse?: string }> => {
  const paths = pathsIn(value)
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...paths), fc.constantFrom(...nastyValues))
        .map(([valuePath, by]) => ({ value: replaceAt(value, valuePath, by) })),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...foreignMembers).map(([name, member]) => ({
        value: Object.assign(Object.fromEntries([[name, member]]), value),
        mustRefuse: `the unknown member "${name}"`,
      })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...paths.map(([name]) => name)).map((name) => ({ value: removeAt(value, name) })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom([value], [[value]], { body: value }).map((wrapped) => ({ value: wrapped })),
    },
  )
}

/** What goes wrong in the text of JSON. */
const spoiledText = (text: string): fc.Arbitrary<Mutated> =>
  fc.oneof(
    fc
      .constantFrom<Mutated>(
        // A server may ignore one byte order mark (RFC 8259, 8.1): such a body is judged as the one without it.
        { body: `\ufeff${text}`, mustRefuse: undefined },
        { body: `\ufeff\ufeff${text}`, mustRefuse: 'two byte order marks' },
        {
          body: text.replace('{', '{"__proto__":{"role":"owner","isAdmin":true},'),
          mustRefuse: 'the member "__proto__"',
        },
        { body: text.replace(/:\s*(?:"[^"]*"|\d+)/, ':1e400'), mustRefuse: undefined },
        { body: text.replace(/:\s*(?:"[^"]*"|\d+)/, ':-0'), mustRefuse: undefined },
        { body: text.replace(/\}$/, ',"twice":1,"twice":2}'), mustRefuse: 'an unknown member twice' },
        { body: text.replace(/("\w+":)/, '$1null,$1'), mustRefuse: undefined },
        { body: text.replace(/:\s*"[^"]*"/, ':"\\ud800"'), mustRefuse: undefined },
        { body: text.replace(/:\s*"[^"]*"/, `:${nested(40)}`), mustRefuse: 'a depth of 40' },
        { body: nested(10_000), mustRefuse: 'a depth of 10,000' },
        { body: `${'['.repeat(10_000)}${']'.repeat(10_000)}`, mustRefuse: 'a depth of 10,000' },
        { body: `${text}${text}`, mustRefuse: 'two values' },
        { body: `[${text}]`, mustRefuse: 'an array' },
        { body: "{'single': 'quotes'}", mustRefuse: 'no JSON' },
        { body: new Uint8Array([0xff, 0xfe, 0x00, 0x7b]), mustRefuse: 'no UTF-8' },
        { body: new Uint8Array([...bytes('{"a":"'), 0xed, 0xa0, 0x80, ...bytes('"}')]), mustRefuse: 'no UTF-8' },
        { body: new Uint8Array(64), mustRefuse: 'no JSON' },
      )
      .map((mutation) => (mutation.body === text ? { ...mutation, mustRefuse: undefined } : mutation)),
    fc.nat({ max: Math.max(0, text.length - 2) }).map((end) => ({ body: text.slice(0, end), mustRefuse: undefined })),
    fc.uint8Array({ maxLength: 60 }).map((noise) => ({ body: new Uint8Array(noise), mustRefuse: undefined })),
  )

/**
 * Bodies made of good ones: unchanged, with something wrong in the value, or with something wrong in its text. Of those
 * that cost much when nothing is wrong, fewer stay unchanged.
 */
export const mutated = (values: fc.Arbitrary<unknown>, costly: boolean): fc.Arbitrary<Mutated> =>
  values.chain((value) =>
    fc.oneof(
      { weight: costly ? 1 : 4, arbitrary: fc.constant({ body: JSON.stringify(value), mustRefuse: undefined }) },
      {
        weight: costly ? 2 : 6,
        arbitrary: mutatedValue(value).map((mutated) => ({
          body: JSON.stringify(mutated.value) ?? '',
          mustRefuse: mutated.mustRefuse,
        })),
      },
      { weight: costly ? 17 : 3, arbitrary: spoiledText(JSON.stringify(value)) },
    ),
  )
