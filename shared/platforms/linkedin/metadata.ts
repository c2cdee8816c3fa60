import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { kindOf } from '../../media/types.ts'
import { limitedText, utf16Units } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'
import { singleLine } from '../../text/single-line.ts'
import { webUrl } from '../../text/web-url.ts'
import type { OtherRule } from '../definition.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'

const pollDurations = ['ONE_DAY', 'THREE_DAYS', 'SEVEN_DAYS', 'FOURTEEN_DAYS'] as const
const pollText = (max: number) => limitedText(max, utf16Units).check(notBlank)

/** The most that LinkedIn's earlier Share API took of a link card; the Posts API names no limits. */
const cardText = (max: number) => limitedText(max, utf16Units)

const Mention = z.looseObject({
  name: described(
    limitedText(100, utf16Units).check(notBlank, singleLine),
    'The name of the organization as LinkedIn shows it, at most 100 characters. `content` has it behind an `@`.',
  ),
  organizationUrn: described(
    z.string().check(
      z.regex(/^urn:li:organization:\d{1,30}$/, {
        error: 'must be the URN of an organization, urn:li:organization:…',
      }),
    ),
    'The URN of the organization, `urn:li:organization:…`.',
  ),
})
export type Mention = z.infer<typeof Mention>

/** The block `metadata.linkedin`, optional; unknown keys are preserved. */
export const LinkedInMetadata = z.looseObject({
  documentTitle: described(
    z.optional(limitedText(100, utf16Units).check(notBlank)),
    'The title of the document, at most 100 characters. A post with a document needs it.',
  ),
  reshareUrn: described(
    z.optional(
      z.string().check(
        z.regex(/^urn:li:(?:share|ugcPost):\d{1,30}$/, {
          error: 'must be the URN of a post, urn:li:share:… or urn:li:ugcPost:…',
        }),
      ),
    ),
    'The URN of a post that is reshared: `urn:li:share:…` or `urn:li:ugcPost:…`, as in its URL. `content` stands above it.',
  ),
  article: described(
    z.optional(
      z.looseObject({
        url: described(webUrl, 'The URL that the card leads to.'),
        title: described(cardText(200).check(notBlank), 'The title of the card, at most 200 characters.'),
        description: described(z.optional(cardText(256)), 'The description of the card, at most 256 characters.'),
        thumbnailMediaAssetId: described(
          z.optional(z.string()),
          'The ID of the image, `med_…`, that the card shows. Without it, the card has no image.',
        ),
      }),
    ),
    'A card of a link, in a post without files. LinkedIn makes none of a URL in the text.',
  ),
  mentions: described(
    z.optional(z.array(Mention).check(z.maxLength(20))),
    'The organizations that the text mentions, at most 20. Each `@` with one of these names becomes a mention; every other `@` stays text.',
  ),
  poll: described(
    z.optional(
      z.looseObject({
        question: described(pollText(140), 'The question, at most 140 characters.'),
        options: described(
          z.array(pollText(30)).check(z.minLength(2), z.maxLength(4)),
          'The 2 to 4 answers, at most 30 characters each.',
        ),
        duration: described(z.enum(pollDurations), 'How long the poll is open.'),
      }),
    ),
    'A poll, in a post without files.',
  ),
  visibility: described(
    z.optional(z.enum(['PUBLIC', 'CONNECTIONS'])),
    'Who can see the post: everyone, or the connections of the member. `PUBLIC` by default, and always for a Page.',
  ),
})
export type LinkedInMetadata = z.infer<typeof LinkedInMetadata>

export const metadataOf = (metadata: unknown): LinkedInMetadata => LinkedInMetadata.parse(metadata ?? {})

const invalid = metadataFinding('linkedin')

export const titledDocument: OtherRule = {
  says: 'A post with a document has a title of the document, and no other post has one.',
  source: 'Posts and Documents API, version 202607',
  check({ metadata, media }) {
    const { documentTitle } = metadataOf(metadata)
    const isDocument = media.some(({ mimeType }) => kindOf(mimeType) === 'document')
    if (isDocument === (documentTitle !== undefined)) return []
    const field = 'metadata.linkedin.documentTitle'
    return isDocument
      ? [{ code: 'metadata_required', field, message: `"${field}" is missing.`, next: 'Send a title of the document.' }]
      : [
          invalid(
            'documentTitle',
            `"${field}" is set, and the post has no document.`,
            `Attach a document, or remove "${field}".`,
          ),
        ]
  },
}

/** What a post shows in addition to its text. */
const contents = ['article', 'poll', 'reshareUrn'] as const

export const oneContent: OtherRule = {
  says: 'A post has files, or an article, or a poll, or reshareUrn.',
  source: 'Posts API, content and reshareContext, Article and Poll API, version 202607',
  readsMetadata: true,
  check({ metadata, media }) {
    const block = metadataOf(metadata)
    const [field, ...more] = contents.filter((name) => block[name] !== undefined)
    const other = media.length > 0 ? 'files' : more[0] && `"metadata.linkedin.${more[0]}"`
    if (field === undefined || other === undefined) return []
    return [invalid(field, `"metadata.linkedin.${field}" cannot be beside ${other}.`, 'Keep one of them.')]
  },
}

const escapeExpression = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** The expression of an `@` followed by one of some names, and not by the beginning of a longer word. */
const mentionOf = (names: readonly string[]): string =>
  names.length === 0
    ? '(?!)()'
    : `(?<![\\p{L}\\p{N}\\p{M}_])@(${names.map(escapeExpression).join('|')})(?![\\p{L}\\p{N}\\p{M}_])`

/**
 * The parts of a text that LinkedIn does not read as plain text, in this order: addresses, whose characters have no meaning;
 * mentioned names, the first group; hashtags of letters and digits, the second one; everything that LinkedIn would read as
 * markup.
 */
export const partsOf = (names: readonly string[]): RegExp => {
  // A longer name wins over its prefix.
  const longestFirst = names.toSorted((first, second) => second.length - first.length)
  return new RegExp(
    `https?://\\S+|${mentionOf(longestFirst)}|(?<![\\p{L}\\p{N}\\p{M}_&/])#(\\p{L}[\\p{L}\\p{N}\\p{M}]*)|[\\\\|{}@[\\]()<>#*_~]`,
    'gu',
  )
}

export const mentionsInText: OtherRule = {
  says: 'The text has each name of mentions behind an @.',
  source: 'rule of this service; little Text Format, version 202607',
  readsText: true,
  readsMetadata: true,
  check({ metadata, text }) {
    const { mentions = [] } = metadataOf(metadata)
    const names = mentions.map(({ name }) => name)
    const mentioned = new Set([...text.matchAll(partsOf(names))].map(([, name]) => name))
    return names.flatMap((name, n) => {
      if (mentioned.has(name)) return []
      const message = `the text does not mention "@${name}".`
      return [invalid(`mentions[${n}].name`, message, `Write "@${name}" in the text, or remove the mention.`)]
    })
  },
}

/** Whether an author is a Page, by its URN. */
export const isPage = (author: string): boolean => author.startsWith('urn:li:organization:')

export const pagesArePublic: OtherRule = {
  says: 'Posts of a Page are public.',
  source: 'Posts API, visibility, version 202607; that Pages have no connections is not stated there',
  readsMetadata: true,
  check({ metadata, externalId = '' }) {
    const field = 'metadata.linkedin.visibility'
    if (!isPage(externalId) || metadataOf(metadata).visibility !== 'CONNECTIONS') return []
    const message = `"${field}" is CONNECTIONS, and a Page has no connections.`
    return [invalid('visibility', message, `Send PUBLIC, or remove "${field}".`)]
  },
}
