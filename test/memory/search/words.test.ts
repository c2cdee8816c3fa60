import * as fc from 'fast-check'
import MiniSearch from 'minisearch'
import { expect, test } from 'vitest'
import { analyse } from '../../../shared/memory/search/analyse.ts'
import { packSegment, unpackSegment } from '../../../shared/memory/search/files.ts'
import { languages } from '../../../shared/memory/search/languages.ts'
import { passageOf } from '../../../shared/memory/search/passage.ts'
import { isMistyped, readPrompt } from '../../../shared/memory/search/query.ts'
import { rank } from '../../../shared/memory/search/rank.ts'
import { eachPosting, makeSegment } from '../../../shared/memory/search/segment.ts'
import { normalizeWord, wordsOf } from '../../../shared/memory/search/words.ts'

test.each([
  ['Straße', 'strasse'],
  ['İSTANBUL', 'istanbul'],
  ['ışık', 'isik'],
  ['Čeština', 'cestina'],
  ['ｆｕｌｌ', 'full'],
  ['ガ', 'ガ'],
  ['ﬁne', 'fine'],
])('%s is compared as %s', (word, folded) => {
  expect(normalizeWord(word)).toBe(folded)
})

test.each([
  ['東京の会議は来週です', ['東京', '会議', '来週']],
  ['การประชุมวันจันทร์', ['ประชุม']],
  ['l’équipe d’Étienne, e-mail: a@b.de', ['equipe', 'etienne', 'mail']],
])('the words of %s', (text, some) => {
  expect([...wordsOf(text)].map(({ folded }) => folded)).toEqual(expect.arrayContaining(some))
})

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 900 }),
  // Nothing to cut at but letters of many units.
  fc
    .array(fc.constantFrom('👩‍👩‍👧‍👦', '🇩🇪', 'é́', 'walrus'), { minLength: 40, maxLength: 90 })
    .map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom('walrus', 'Walruses', 'zoo', '👩‍👩‍👧‍👦', 'é́', 'über', '東京の会議', '.', '\n', '🇩🇪', ' '), {
      maxLength: 120,
    })
    .map((parts) => parts.join(' ')),
)

test('a passage is part of the text, and its highlights are whole characters within it, in order', () => {
  const readQuery = readPrompt('walrus zoo 東京 über', languages)
  fc.assert(
    fc.property(anyText, (text) => {
      const passage = passageOf(text, readQuery)
      expect(text).toContain(passage.text)
      expect(passage.text.length).toBeLessThanOrEqual(240)
      const starts = new Set([...new Intl.Segmenter().segment(text)].map(({ index }) => index)).add(text.length)
      // Where the same part occurs twice, either offset is valid.
      const offsets = [...Array(text.length + 1).keys()].filter((n) => text.startsWith(passage.text, n))
      expect(offsets.some((n) => starts.has(n) && starts.has(n + passage.text.length))).toBe(true)
      const letters = new Set([...new Intl.Segmenter().segment(passage.text)].map(({ index }) => index)).add(
        passage.text.length,
      )
      let before = 0
      for (const { start, end } of passage.highlights) {
        expect(start).toBeGreaterThanOrEqual(before)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(passage.text.length)
        expect(letters.has(start) && letters.has(end)).toBe(true)
        before = end
      }
    }),
    { numRuns: 300 },
  )
})

test('the passage is the matching sentence, not the beginning', () => {
  const text = `${'The first sentence says nothing. '.repeat(20)}A walrus lives in the zoo. ${'Nor does this. '.repeat(20)}`
  const { text: passage, highlights } = passageOf(text, readPrompt('walruses in a zoo', languages))
  expect(passage.length).toBeLessThanOrEqual(240)
  expect(highlights.map(({ start, end }) => passage.slice(start, end))).toEqual(['walrus', 'zoo'])
})

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 1, maxLength: 7 })

/** The distance with swaps of neighbors, straight from its definition. */
const distance = (first: string, second: string): number => {
  const cell = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const same = first[i - 1] === second[j - 1] ? 0 : 1
    const least = Math.min(cell(i - 1, j) + 1, cell(i, j - 1) + 1, cell(i - 1, j - 1) + same)
    const isSwapped = i > 1 && j > 1 && first[i - 1] === second[j - 2] && first[i - 2] === second[j - 1]
    return isSwapped ? Math.min(least, cell(i - 2, j - 2) + 1) : least
  }
  return cell(first.length, second.length)
}

test('a word of four letters or more is mistyped with one error, and with no more', () => {
  const long = word.filter(({ length }) => length >= 4)
  const near = fc.tuple(long, fc.nat(7), fc.nat(3), word).map(([text, at, without, letters]) => {
    return [text, text.slice(0, at) + letters.slice(0, 2) + text.slice(at + without)] as const
  })
  fc.assert(
    fc.property(fc.oneof(near, fc.tuple(long, word)), ([query, term]) => {
      expect(isMistyped(term, query)).toBe(distance(term, query) <= 1)
    }),
    { numRuns: 2_000 },
  )
  expect(isMistyped('breed', 'bread')).toBe(true)
  expect(isMistyped('rye', 'dye')).toBe(false)
})

const texts = fc.array(
  fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
  { maxLength: 30 },
)
const documents = (some: readonly string[], from = 0) =>
  some.map((text, n) => ({ id: `m${String(from + n).padStart(4, '0')}`, ...analyse(text) }))

const listings = (segment: ReturnType<typeof makeSegment>) =>
  segment.terms.map((term, n) => {
    const list: [string, number][] = []
    eachPosting(segment, n, (document, count) => list.push([segment.ids[document] ?? '', count]))
    return [term, list] as const
  })

test('a segment that grew, shrank, and was read from its file equals one built from the remaining memories', () => {
  fc.assert(
    fc.property(texts, texts, fc.array(fc.nat(59)), (older, newer, out) => {
      const base = unpackSegment(packSegment(makeSegment(documents(older))))
      const gone = new Set(out.map((n) => `m${String(n).padStart(4, '0')}`))
      const grown = makeSegment(documents(newer, older.length), base, gone)
      const all = documents([...older, ...newer])
      const left = all.filter(({ id }, n) => n >= older.length || !gone.has(id))
      const whole = makeSegment(left)
      expect(listings(grown)).toEqual(listings(whole))
      expect([...grown.lengths]).toEqual([...whole.lengths])
      expect(grown.ids).toEqual(whole.ids)
    }),
    { numRuns: 100 },
  )
})

/** Words that no language has among its commonest. */
const rareWord = fc.string({ unit: fc.constantFrom('b', 'd', 'f', 'g'), minLength: 3, maxLength: 7 })
const rareTexts = fc.array(
  fc.array(rareWord, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
  { maxLength: 30 },
)

test('finds everything that a well-known library finds by whole words, in one segment or several', () => {
  fc.assert(
    fc.property(rareTexts, rareWord, rareWord, fc.integer({ min: 1, max: 4 }), (some, first, second, parts) => {
      const peer = new MiniSearch({ fields: ['text'] })
      peer.addAll(some.map((text, n) => ({ id: `m${String(n).padStart(4, '0')}`, text })))
      const all = documents(some)
      const segments = Array.from({ length: parts }, (_, part) => makeSegment(all.filter((_, n) => n % parts === part)))
      const hits = new Set(rank(segments, `${first} ${second}`, 1000).map(({ id }) => id))
      for (const { id } of peer.search(`${first} ${second}`)) expect(hits).toContain(id)
      for (const { score } of rank(segments, `${first} ${second}`, 1000)) expect(score > 0 && score <= 1).toBe(true)
    }),
    { numRuns: 100 },
  )
})

test('finds the same memories in one segment and in several', () => {
  fc.assert(
    fc.property(rareTexts, rareWord, (some, query) => {
      const all = documents(some)
      const halves = [0, 1].map((half) => makeSegment(all.filter((_, n) => n % 2 === half)))
      const idsIn = (hits: ReturnType<typeof rank>) => hits.map(({ id }) => id).sort()
      expect(idsIn(rank(halves, query, 1000))).toEqual(idsIn(rank([makeSegment(all)], query, 1000)))
    }),
    { numRuns: 100 },
  )
})

test('word rarity and memory length do not depend on segments; of two matches the shorter ranks first', () => {
  const some = [
    'tulip',
    'tulip bed',
    'tulip rose violet aster dahlia peony daisy',
    'orchid tulip',
    'rose',
    'aster and dahlia',
  ]
  const all = documents(some)
  const whole = rank([makeSegment(all)], 'tulip orchid', 10)
  const split = rank([makeSegment(all.slice(0, 3)), makeSegment(all.slice(3))], 'tulip orchid', 10)
  expect(split.map(({ id, score }) => [id, score])).toEqual(whole.map(({ id, score }) => [id, score]))
  expect(whole.map(({ id }) => id)).toEqual(['m0003', 'm0000', 'm0001', 'm0002'])
})
