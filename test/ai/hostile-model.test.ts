import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitText } from '../../shared/ai/text/fit.ts'
import { fitsOn, issuesOf, metadataOf, withoutForbidden } from '../../shared/ai/text/rules.ts'
import { cleanAnswer } from '../../shared/ai/text/write.ts'
import { platformIds } from '../../shared/resources.ts'
import { start } from '../support/start.ts'

const runs = Number(process.env['AI_RUNS'] ?? 150)

/** What a hostile model may return: any text, and texts made to break counts and cuts. */
const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    ...['https://example.com/a/very/long/path?with=query ', 'example.co', '@someone_with_a_name ', '#tag ', '$TSLA '],
    ...[
      '👩‍👩‍👧‍👦',
      '🇩🇪',
      'e\u0301\u0301\u0301',
      '\u202eright to left',
      '\u0000',
      '\ud83d',
      '你好世界。',
      'สวัสดีชาวโลก',
      '\n\n',
      '< >',
    ],
  ),
)
const hostile = fc
  .tuple(fc.array(piece, { minLength: 1, maxLength: 30 }), fc.constantFrom(1, 3, 40, 400))
  .map(([pieces, times]) => pieces.join('').repeat(times).slice(0, 60_000))

const limits = new Set(['content_length', 'hashtag_limit', 'link_limit', 'cashtag_limit', 'mention_limit'])

test('no text exceeds a limit of its platform, whatever the model returns, and nothing throws', () => {
  const platform = fc.constantFrom(...platformIds)
  fc.assert(
    fc.property(hostile, platform, fc.constantFrom(undefined, 'premium'), (answer, id, tier) => {
      const target = { platform: id, socialAccountId: null, tier }
      const text = fitText(withoutForbidden(target, cleanAnswer(answer)), fitsOn(target))
      const codes = issuesOf(target, text, metadataOf(target, text)).map(({ code }) => code)
      expect(codes.filter((code) => limits.has(code))).toEqual([])
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toMatch(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/u)
    }),
    { numRuns: runs },
  )
}, 120_000)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

test('a text is cut only between graphemes, and never inside a link or a mention', () => {
  const texts = fc.array(
    fc.constantFrom('https://example.com/path/to/page', '@somebody', '#harvest', 'bread', '👩‍👩‍👧‍👦', '世界', 'é'),
    { minLength: 5, maxLength: 60 },
  )
  fc.assert(
    fc.property(texts, fc.integer({ min: 5, max: 200 }), (parts, max) => {
      const text = parts.join(' ')
      const fitted = fitText(text, ({ length }) => length <= max).replace(/…$/, '')
      expect(text.startsWith(fitted)).toBe(true)
      const starts = new Set([...Array.from(graphemes.segment(text), ({ index }) => index), text.length])
      expect(starts.has(fitted.length)).toBe(true)
      const next = text.slice(fitted.length).match(/^\S+/)?.[0] ?? ''
      const open = fitted.match(/\S+$/)?.[0] ?? ''
      const isInside = open !== '' && next !== ''
      expect(isInside && /[@#/.]/.test(open + next)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('a long text ends with a sentence if that costs little, else with a word', () => {
  const atMost = (max: number) => (text: string) => text.length <= max
  expect(fitText('One two. Three four. Five six seven.', atMost(25))).toBe('One two. Three four.')
  expect(fitText('One two three four five six seven', atMost(20))).toBe('One two three four…')
  expect(fitText(`${'a'.repeat(50)}`, atMost(20))).toBe('a'.repeat(20))
  expect(fitText('https://example.com/a/very/long/address', atMost(20))).toBe('')
})

test('a hostile model over HTTP: every response is 200 with texts that validation accepts', async () => {
  const { sessionApi, service } = await start()
  const samples = fc.sample(hostile, { numRuns: 12, seed: 7 })
  for (const sample of samples) {
    service.ai.model.answerWith(() => sample)
    const shown = cleanAnswer(sample)
    const generation = sessionApi.ai.generate({ body: { prompt: 'Bread', platforms: ['x', 'bluesky', 'youtube'] } })
    if (shown === '') {
      await expect(generation).rejects.toMatchObject({ status: 503, code: 'ai_unavailable' })
      continue
    }
    const { variants } = await generation
    const codes = variants.flatMap(({ issues }) => issues.map(({ code }) => code))
    expect(codes.filter((code) => limits.has(code))).toEqual([])
  }
}, 120_000)
