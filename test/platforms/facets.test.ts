import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildFacets, type Facet, findMarks } from '../../shared/platforms/bluesky/facets.ts'

const everybody = (handle: string) => `did:web:${handle}`
const facetsOf = (text: string) => buildFacets(text, findMarks(text), everybody)

/** What a reader of the record sees marked. */
const sliceOf = (text: string, { index }: Facet) =>
  Buffer.from(text).subarray(index.byteStart, index.byteEnd).toString('utf8')
const seen = (text: string) =>
  facetsOf(text).map((facet) => [sliceOf(text, facet), Object.values(facet.features[0])[1]])

const filler = fc.constantFrom(
  'Grüße',
  '👨‍👩‍👧‍👦',
  '(',
  ')',
  '日本語',
  'e\u0301',
  '.',
  'x',
  ' ',
  '\n',
  '#',
  '@',
  'a.b',
  '100%',
  '＃',
  '\u200b',
)
const marked = fc.constantFrom(
  'https://example.com/ü?q=1#x',
  'http://a.b/(c)',
  'example.org/path',
  '@Alice.bsky.social',
  '@bob.example.co.uk',
  '#atproto',
  '＃日本',
  '#1a',
)
const text = fc.array(fc.oneof(filler, marked), { maxLength: 30 }).map((parts) => parts.join(' '))

test('facets cover whole characters, in order, without overlap', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'grapheme' })), (value) => {
      let reached = 0
      for (const facet of facetsOf(value)) {
        const { byteStart, byteEnd } = facet.index
        expect(byteStart).toBeGreaterThanOrEqual(reached)
        expect(byteEnd).toBeGreaterThan(byteStart)
        expect(byteEnd).toBeLessThanOrEqual(Buffer.byteLength(value))
        reached = byteEnd
      }
    }),
    { numRuns: 500 },
  )
})

test('every facet covers its own text', () => {
  fc.assert(
    fc.property(text, (value) => {
      for (const facet of facetsOf(value)) {
        const slice = sliceOf(value, facet)
        const [feature] = facet.features
        const named = {
          'app.bsky.richtext.facet#link': [feature['uri'], feature['uri']?.replace('https://', '')],
          'app.bsky.richtext.facet#mention': [`@${feature['did']?.replace('did:web:', '')}`],
          'app.bsky.richtext.facet#tag': [`#${feature['tag']}`, `＃${feature['tag']}`],
        }[feature['$type'] ?? '']
        expect(named?.map((name) => name?.toLowerCase())).toContain(slice.toLowerCase())
      }
    }),
    { numRuns: 500 },
  )
})

test('finds a mark between spaces anywhere', () => {
  const plain = fc.constantFrom('Grüße', '👨‍👩‍👧‍👦', '日本語', 'e\u0301', 'x')
  fc.assert(
    fc.property(fc.array(plain), marked, fc.array(plain), (before, mark, after) => {
      const value = [...before, mark, ...after].join(' ')
      expect(facetsOf(value).map((facet) => sliceOf(value, facet))).toEqual([mark])
    }),
  )
})

test.each([
  ['see https://example.com/x, and (https://b.org/y).', ['https://example.com/x', 'https://b.org/y']],
  [
    'https://en.wikipedia.org/wiki/A_(b) (https://c.org/A_(b))',
    ['https://en.wikipedia.org/wiki/A_(b)', 'https://c.org/A_(b)'],
  ],
  ['read example.com. Or example.com/a?b. Not node.js, a.b or me@example.com', ['example.com', 'example.com/a?b']],
  ['bread.berlin, art.museum/now and bbc.co.uk, not bread.nonsense', ['bread.berlin', 'art.museum/now', 'bbc.co.uk']],
  ['https://a.org/(example.com @x.dev', ['https://a.org/(example.com', '@x.dev']],
  ['https:// https://… http://!!', []],
  ['#one, #two! #3 #!? # #️⃣ x#four #five#six', ['#one', '#two', '#five#six']],
  [`#${'t'.repeat(64)} #${'t'.repeat(65)}`, [`#${'t'.repeat(64)}`]],
  ['hi @alice.bsky.social. (@bob.dev) @nodot mail@host.dev @a.1', ['@alice.bsky.social', '@bob.dev']],
])('%s', (value, expected) => {
  expect(seen(value).map(([slice]) => slice)).toEqual(expected)
})

test('links a bare address by https, and keeps a mention of an unknown account as text', () => {
  expect(facetsOf('to example.com')).toEqual([
    {
      index: { byteStart: 3, byteEnd: 14 },
      features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com' }],
    },
  ])
  const value = '@nobody.test #tag'
  expect(buildFacets(value, findMarks(value), () => undefined)).toHaveLength(1)
})
