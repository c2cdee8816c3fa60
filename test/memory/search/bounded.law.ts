import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyse } from '../../../shared/memory/search/analyse.ts'
import { languages } from '../../../shared/memory/search/languages.ts'
import { passageOf } from '../../../shared/memory/search/passage.ts'
import { readPrompt } from '../../../shared/memory/search/query.ts'
import { costFault, growthFault } from '../../support/world/growth/cpu.ts'
import { hostile, knownHostile } from '../../support/world/growth/hostile.ts'
import { slowPassageOf } from './slow-passage.ts'

/** The longest memory and the longest prompt that the API takes. */
const [maxUnits, maxPrompt] = [10_000, 2_000]

/** Long words that a text does not contain exactly: all are searched as misspelled. */
const strange = Array.from({ length: 48 }, (_, n) => `xyz${n.toString(36)}abcdefgh`).join(' ')

const searches = [
  ['by its own beginning', (text: string) => passageOf(text, readPrompt(text.slice(0, maxPrompt), languages))],
  ['by words that it has not', (text: string) => passageOf(text, readPrompt(strange, languages))],
  ['for the index', analyse],
] as const

test.each(searches)(
  'a memory read %s: four times the text costs at most five times the work',
  (_, read) => {
    for (const { textOf } of knownHostile) expect(growthFault(read, textOf, 2 * maxUnits)).toBeUndefined()
    const grows = fc.property(hostile, ({ textOf }) => growthFault(read, textOf, 2 * maxUnits) === undefined)
    fc.assert(grows, { numRuns: 8, endOnFailure: true })
  },
  120_000,
)

test('highlighting twenty memories of digits or Chinese does not block other requests for seconds', () => {
  for (const { name, textOf } of knownHostile) {
    for (const [, read] of searches)
      expect(
        costFault(() => read(textOf(maxUnits))),
        name,
      ).toBeUndefined()
  }
}, 120_000)

const word = fc.constantFrom(
  'bread',
  'Bread',
  'baked',
  'baker',
  'braed',
  'the',
  'Straße',
  '面包',
  '中国',
  '人',
  'パン',
  'ขนมปัง',
  '1',
  '2026',
  '👨‍👩‍👧‍👦',
  'e\u0301',
  '\u0301',
  '\ud83d',
  'a'.repeat(70),
)
const gap = fc.constantFrom(' ', ' ', ' ', '. ', '? ', '', ', ', '\n', '\r\n', '   ', '.', '。', '\u200d')
const text = fc.array(fc.tuple(word, gap), { maxLength: 200 }).map((parts) => parts.flat().join(''))

test('the passage and its highlights match those of a brute-force search', () => {
  fc.assert(
    fc.property(text, fc.array(word, { minLength: 1, maxLength: 4 }), (some, prompt) => {
      const query = readPrompt(prompt.join(' '), languages)
      expect(passageOf(some, query)).toEqual(slowPassageOf(some, query))
    }),
    { numRuns: 400 },
  )
})
