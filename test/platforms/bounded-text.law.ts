import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Email } from '../../shared/identity/email.ts'
import { buildFacets, findMarks } from '../../shared/platforms/bluesky/facets.ts'
import type { PlatformDefinition } from '../../shared/platforms/definition.ts'
import { definitionOf } from '../../shared/platforms/definitions.ts'
import { toLittleText } from '../../shared/platforms/linkedin/prepare.ts'
import { linksIn, trimLink } from '../../shared/platforms/links.ts'
import { checkPost, hashtagsIn } from '../../shared/platforms/rules/check-post.ts'
import { escapeText, plainText } from '../../shared/platforms/slack/publish.ts'
import { bareLinksIn, threadsLength } from '../../shared/platforms/threads/definition.ts'
import { cashtagsIn } from '../../shared/platforms/x/definition.ts'
import { weightedLength } from '../../shared/platforms/x/weighted-length.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { graphemes } from '../../shared/text/counting.ts'
import { costFault, growthFault } from '../support/world/growth/cpu.ts'
import { hostile, knownHostile } from '../support/world/growth/hostile.ts'

/** The longest text that the API takes. */
const maxUnits = 100_000

const marksOf = (text: string) => buildFacets(text, findMarks(text), (handle) => handle)

const metadata: Partial<Record<PlatformId, (text: string) => object>> = {
  discord: () => ({ channelId: '1300000000000000101' }),
  slack: () => ({ channelId: 'C0123456789' }),
  instagram: (caption) => ({ format: 'feed_image', caption }),
  pinterest: (description) => ({ boardId: '1', title: description, description, link: `https://${description}` }),
  reddit: (body) => ({ subreddit: body, kind: 'self', title: `${body}\n`, body, url: `https://${body}` }),
  tiktok: (title) => ({ privacyLevel: 'SELF_ONLY', title }),
  youtube: (title) => ({ title, tags: [title, title] }),
}

const check = (definition: PlatformDefinition, text: string, tier?: string) =>
  checkPost(definition, {
    socialAccountId: 'acc_1',
    tier,
    content: text,
    metadata: metadata[definition.id]?.(text),
    media: [],
  })

const rules = platformIds.map((id) => [`the rules of ${id}`, (text: string) => check(definitionOf(id), text)] as const)
const scanners: readonly (readonly [string, (text: string) => unknown])[] = [
  ...rules,
  ['the weighted length of X', weightedLength],
  ['the length of Threads', threadsLength],
  ['graphemes', graphemes],
  ['the links of Facebook and Threads', linksIn],
  ['hashtags', hashtagsIn],
  ['the facets of Bluesky', marksOf],
  ['the little text of LinkedIn', toLittleText],
  ['the text of Slack', (text) => plainText(escapeText(text))],
  ['a text that Slack shows', plainText],
  ['cashtags', cashtagsIn],
  ['links without a scheme', bareLinksIn],
  ['an email address', (text) => z.safeParse(Email, `${text}@${text}`)],
]

test.each(scanners)(
  '%s: four times the text is at most five times the work',
  (_, scan) => {
    for (const { textOf } of knownHostile) expect(growthFault(scan, textOf, maxUnits)).toBeUndefined()
    const grows = fc.property(hostile, ({ textOf }) => growthFault(scan, textOf, maxUnits) === undefined)
    fc.assert(grows, { numRuns: 10, endOnFailure: true })
  },
  120_000,
)

test.each(platformIds.map((id) => [id]))('validates 100 KB of anything in little time on %s', (id) => {
  for (const { name, textOf } of knownHostile) {
    const text = textOf(maxUnits)
    expect(
      costFault(() => check(definitionOf(id), text, 'premium')),
      name,
    ).toBeUndefined()
  }
}, 120_000)

test('reports 20 KB of brackets after a link as too long', () => {
  const text = `https://example.com/${')'.repeat(20_000)}`
  expect(check(definitionOf('threads'), text).map(({ code }) => code)).toEqual(['content_length'])
  expect(check(definitionOf('facebook'), text)).toEqual([])
  expect(findMarks(text)).toMatchObject([{ kind: 'link', end: 'https://example.com/'.length }])
})

/** A sentence's marks and what it does not open, one after another. */
const trimmedSlowly = (link: string): string => {
  const trimmed = link.replace(/[.,;:!?]+$/, '')
  const count = (letter: string) => trimmed.split(letter).length
  return trimmed.endsWith(')') && count(')') > count('(') ? trimmedSlowly(trimmed.slice(0, -1)) : trimmed
}

test('a link excludes trailing punctuation and unmatched brackets', () => {
  const link = fc.string({ unit: fc.constantFrom('(', ')', '.', '!', '?', 'a', '/', '😀') })
  fc.assert(
    fc.property(link, (some) => trimLink(some) === trimmedSlowly(some)),
    { numRuns: 500 },
  )
})

test('a hashtag ends before punctuation of any script', () => {
  const tail = fc.string({ unit: fc.constantFrom('!', '。', '𐄀', '𝒳', 'a', '-', '1', '😀', '_') })
  const spelled = (text: string) => text.replace(/\p{P}+$/u, '')
  fc.assert(
    fc.property(tail, (some) => {
      const [mark] = findMarks(`#x${some}`)
      expect(mark).toMatchObject({ kind: 'tag', tag: spelled(`x${some}`) })
    }),
  )
})

test('reports only the length of a text that is far too long, and rules that do not read it', () => {
  const far = `${'#tag '.repeat(2000)}`
  const issues = check(definitionOf('instagram'), far).map(({ code }) => code)
  expect(issues).toContain('content_length')
  expect(issues).not.toContain('hashtag_limit')
  const near = check(definitionOf('instagram'), `${'#tag '.repeat(500)}`).map(({ code }) => code)
  expect(near).toEqual(expect.arrayContaining(['content_length', 'hashtag_limit']))
})
