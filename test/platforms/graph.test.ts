import * as fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { countText } from '../../infra/local/platforms/threads/count-text.ts'
import { classifyGraphError, limitSeconds } from '../../shared/platforms/graph/errors.ts'
import { linksIn } from '../../shared/platforms/links.ts'
import { threads as connector } from '../../shared/platforms/threads/connect.ts'
import { definition, threadsLength } from '../../shared/platforms/threads/definition.ts'
import { threads } from '../../shared/platforms/threads/publish.ts'
import { codePoints, utf8Bytes } from '../../shared/text/counting.ts'
import { startGraphSite } from './graph-site.ts'

const site = await startGraphSite('threads', threads, connector)
const { platforms, files } = site
beforeEach(() => platforms.reset())
afterAll(() => site.close())

const texts = fc.string({ unit: fc.constantFrom('a', 'ü', '語', '𝒳', '1', ' ', '\n', '-') })
const emoji = fc.constantFrom('😀', '👋🏽', '👨‍👩‍👧‍👦', '🇩🇪', '❤️', '☃️', '🏴‍☠️')
const text = fc.array(fc.oneof(texts, emoji), { maxLength: 12 }).map((parts) => parts.join('x'))

test('Threads’ count: what the stand-in counts, letters as one, emoji as their bytes', () => {
  fc.assert(fc.property(text, (some) => threadsLength(some) === countText(some)))
  fc.assert(fc.property(texts, (some) => threadsLength(some) === codePoints(some)))
  fc.assert(fc.property(emoji, (some) => threadsLength(some) === utf8Bytes(some)))
  const any = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(any, (some) => threadsLength(some) >= codePoints(some) && threadsLength(some) <= utf8Bytes(some)),
  )
})

const host = fc.constantFrom('https://example.com', 'http://a.test/x?q=1', 'https://b.test/w_(x)', 'HTTPS://C.TEST/#y')

test('finds links in any context, each once, in order', () => {
  const around = fc.constantFrom(['', ''], ['(', ')'], ['"', '"'], ['See ', '.'], ['<', '>'], ['', '!?'], ['\n', '),'])
  const parts = fc.array(fc.tuple(host, around), { maxLength: 6 })
  fc.assert(
    fc.property(parts, (links) => {
      const written = links.map(([link, [before, after]]) => `${before}${link}${after}`).join(' and ')
      expect(linksIn(written)).toEqual([...new Set(links.map(([link]) => link))])
    }),
  )
  expect(linksIn('no link: example.com, ftp://x.test, http:/x')).toEqual([])
})

test('a rate limit lasts as long as Meta says, else a quarter of an hour', () => {
  const limitFor = (value: unknown) => limitSeconds({ 'x-business-use-case-usage': JSON.stringify(value) })
  const use = (minutes?: number) => ({ type: 'pages', estimated_time_to_regain_access: minutes })
  expect(limitFor({ '1': [use(12)], '2': [use(3), use(20)] })).toBe(20 * 60)
  expect([
    limitFor({ '1': [use(0)] }),
    limitFor({ '1': [use()] }),
    limitFor({}),
    limitFor([]),
    limitSeconds({}),
  ]).toEqual(Array(5).fill(900))
  fc.assert(fc.property(fc.json(), (value) => limitSeconds({ 'x-business-use-case-usage': value }) > 0))
  fc.assert(fc.property(fc.string(), (value) => limitSeconds({ 'x-business-use-case-usage': value }) > 0))
})

test('classifies every response, and a create without a clear rejection stays unknown', () => {
  const site = { platform: { ...definition, name: 'Meta' }, version: 'v1.0', classify: () => undefined } as const
  const error = fc.record(
    { code: fc.integer(), error_subcode: fc.integer(), message: fc.string(), is_transient: fc.boolean() },
    { requiredKeys: [] },
  )
  const body = fc.oneof(fc.jsonValue(), fc.record({ error }), fc.constant(undefined))
  const answer = fc.record({
    status: fc.integer({ min: 400, max: 499 }),
    headers: fc.constant({}),
    body,
    nowMs: fc.nat(),
  })
  const classes = ['auth', 'permission', 'rate', 'quota', 'invalid', 'duplicate', 'transient', 'unknown']
  fc.assert(
    fc.property(answer, fc.boolean(), (given, creates) => {
      const { errorClass, message } = classifyGraphError(site, given, { creates, secrets: ['x'] })
      expect(classes).toContain(errorClass)
      expect(message).toMatch(/^Meta /)
      if (creates) expect(errorClass).not.toBe('transient')
      else expect(errorClass).not.toBe('unknown')
    }),
  )
})

test('publishes any files with the fewest containers, in order, by one call', async () => {
  const file = { jpeg: await files.jpeg(), png: await files.png(), mp4: await files.mp4() }
  const types = { jpeg: 'image/jpeg', png: 'image/png', mp4: 'video/mp4' } as const
  const kinds = fc.array(fc.constantFrom('jpeg', 'png', 'mp4'), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(kinds, async (chosen) => {
      platforms.reset()
      await site.publish(await site.open({ media: chosen.map((kind) => file[kind]) }))
      const operations = site.operations()
      const count = (name: string) => operations.filter((operation) => operation === name).length
      expect([count('upload'), count('create')]).toEqual([chosen.length === 1 ? 1 : chosen.length + 1, 1])
      const [shown] = platforms.published()
      const seen = await Promise.all(
        (shown?.media ?? []).map(async (url) => (await fetch(url)).headers.get('content-type')),
      )
      expect(seen).toEqual(chosen.map((kind) => types[kind]))
    }),
    { numRuns: 12 },
  )
})
