import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { codePoints, graphemesIn, limitedText, utf8Bytes } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'
import { webUrl } from '../../text/web-url.ts'
import type { OtherRule, PlatformDefinition } from '../definition.ts'
import { videoStreams } from '../graph/video.ts'
import { linksIn, trimLink } from '../links.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'

/** An address without its scheme: `www.`, at least one name, and what follows. */
const bare = /^www(?:\.[\p{L}\p{N}-]+){2,}(?:[/?#:]|$)/iu

/**
 * The different addresses in a text that begin with `www.` and no scheme, in their order: Threads counts them as links
 * (Threads API, Text attachments, How links are counted, 2026-07-02). Its examples show no other bare names; those are
 * accepted here, and Threads has the last word. Each character is read a bounded number of times.
 */
export const bareLinksIn = (text: string): string[] => {
  const words = text.split(/[\s<>"']/).flatMap((word) => {
    const start = word.startsWith('(') ? 1 : 0
    return /^www\./i.test(word.slice(start, start + 4)) ? [trimLink(word.slice(start))] : []
  })
  return [...new Set(words.filter((word) => bare.test(word)))]
}

/** Images, flags, and digits in a box. */
const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u

/**
 * What Threads counts: an emoji is as long as its bytes in UTF-8 (Threads API, Posts, 2026-04-14). Some products count it as
 * one; this count never accepts a text that Threads rejects.
 */
export const threadsLength = (text: string): number => {
  let length = 0
  for (const { segment } of graphemesIn(text)) length += emoji.test(segment) ? utf8Bytes(segment) : codePoints(segment)
  return length
}

/** The block `metadata.threads`; unknown keys are preserved. Texts are counted as Threads counts those of posts. */
export const ThreadsMetadata = z.looseObject({
  topicTag: described(
    z.optional(
      limitedText(50, threadsLength).check(
        notBlank,
        z.regex(/^[^.&]*$/, { error: 'must have neither a period nor an ampersand' }),
      ),
    ),
    'The topic of the post, 1 to 50 characters without `.` and `&`. In a thread, the first post has it.',
  ),
  replyControl: described(
    z.optional(
      z.enum(['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only']),
    ),
    'Who can reply. Everyone by default. In a thread, it applies to the first post.',
  ),
  poll: described(
    z.optional(
      z.looseObject({
        options: described(
          z.array(limitedText(25, threadsLength).check(notBlank)).check(z.minLength(2), z.maxLength(4)),
          'The choices, 2 to 4, of at most 25 characters each.',
        ),
      }),
    ),
    'A poll, in a post without media. In a thread, the first post has it.',
  ),
  linkAttachment: described(
    z.optional(webUrl),
    'The URL of the link card, in a post without media. By default, the first link of the text becomes the card. In a thread, the first post has it.',
  ),
  quotePostId: described(
    z.optional(z.string().check(z.regex(/^\d{1,20}$/, { error: 'must be the ID of a post, digits only' }))),
    'The ID that Threads gave the post to quote. In a thread, the first post quotes it.',
  ),
  textAttachment: described(
    z.optional(
      z.looseObject({
        plaintext: described(
          limitedText(10_000, threadsLength).check(notBlank),
          'The long text, at most 10,000 characters.',
        ),
        linkUrl: described(z.optional(webUrl), 'The URL of the link card in the long text. Not with `linkAttachment`.'),
      }),
    ),
    'A long text that opens from the post, in a post without media and without a poll. In a thread, the first post has it.',
  ),
  isSpoilerMedia: described(
    z.optional(z.boolean()),
    'Whether media are covered until a reader opens them. False by default. In a thread, it applies to all media.',
  ),
})
export type ThreadsMetadata = z.infer<typeof ThreadsMetadata>

export const maxAltText = 1000
const maxLinks = 5

/** An address counts once, whether or not it also occurs with its scheme, or in an attachment. */
const countLinks = (text: string, attached: readonly string[]): number => {
  const whole = new Set([...linksIn(text), ...attached])
  const bare = bareLinksIn(text).filter((link) => !whole.has(`https://${link}`) && !whole.has(`http://${link}`))
  return whole.size + bare.length
}

const links: OtherRule = {
  says: `At most ${maxLinks} different links, with or without a scheme.`,
  source: 'Threads API, Text attachments, 2026-07-02',
  readsText: true,
  check({ text, metadata }) {
    const { linkAttachment, textAttachment } = ThreadsMetadata.parse(metadata ?? {})
    const attached = [linkAttachment, textAttachment?.linkUrl].flatMap((link) => (link === undefined ? [] : [link]))
    const used = countLinks(text, attached)
    if (used <= maxLinks) return []
    return [{ code: 'link_limit', message: `${used}/${maxLinks} links`, next: `Remove ${used - maxLinks} of them.` }]
  },
}

const invalid = metadataFinding('threads')

const attachments: OtherRule = {
  says: 'A poll, a link attachment, and a text attachment need a post without media. A text attachment takes no poll, and one link card only.',
  source: 'Threads API, Posts, 2026-04-14; Polls and Text attachments, 2026-07-02',
  readsMetadata: true,
  check({ metadata, media }) {
    const { poll, linkAttachment, textAttachment } = ThreadsMetadata.parse(metadata ?? {})
    const attached = Object.entries({ poll, linkAttachment, textAttachment }).filter(([, value]) => value !== undefined)
    const leaveOut = (field: string) => `leave out metadata.threads.${field}.`
    return [
      ...(media.length === 0
        ? []
        : attached.map(([field]) =>
            invalid(field, `a post with ${field} cannot have media`, `Remove the media, or ${leaveOut(field)}`),
          )),
      ...(textAttachment && poll
        ? [
            invalid(
              'poll',
              'a post with textAttachment cannot have a poll',
              `Publish two posts, or ${leaveOut('poll')}`,
            ),
          ]
        : []),
      ...(textAttachment?.linkUrl !== undefined && linkAttachment !== undefined
        ? [
            invalid(
              'textAttachment.linkUrl',
              'a post has one link card, in the post or in the long text',
              `Leave out one of them: ${leaveOut('linkAttachment')}`,
            ),
          ]
        : []),
    ]
  },
}

/** Threads' rules: 500 characters, and Meta's limits for media. */
export const definition = {
  id: 'threads',
  name: 'Threads',
  api: { version: 'v1.0', endsOn: null, source: 'Threads API, Posts, 2026-04-14' },
  // A text is a container, too.
  preparesText: true,
  threads: { preparesInTurn: true, source: 'Threads API, Create Replies, 2025-12-22' },
  comment: { source: 'a post that replies; Threads API, Create Replies, 2025-12-22' },
  hosts: { auth: 'https://threads.net', token: 'https://graph.threads.net', api: 'https://graph.threads.net' },
  postsAt: ['threads.com', 'threads.net'],
  connect: 'oauth',
  rules: {
    measures: [
      {
        max: 500,
        unit: 'characters',
        counting: 'code points, an emoji as its bytes in UTF-8',
        count: threadsLength,
        source: 'Threads API, Posts, text, 2026-04-14',
      },
    ],
    media: [
      {
        min: 0,
        max: 20,
        image: {
          max: 20,
          types: imageTypes,
          maxBytes: maxImageBytes,
          minAspect: 0.1,
          maxAspect: 10,
          sent: { types: ['image/jpeg', 'image/png'], maxBytes: 8_000_000 },
        },
        video: {
          ...videoStreams,
          // Threads API, media specifications, Video Bitrate, 2025-12-22.
          maxVideoBitsPerSecond: 100_000_000,
          max: 20,
          types: videoTypes,
          maxBytes: 1_000_000_000,
          maxWidth: 1920,
          minAspect: 0.01,
          maxAspect: 10,
          maxDurationMs: 300_000,
        },
        mixed: true,
        source: 'Threads API, Posts, media specifications, 2026-04-14',
      },
    ],
    metadata: {
      schema: ThreadsMetadata,
      required: false,
      firstOnly: ['topicTag', 'replyControl', 'poll', 'linkAttachment', 'quotePostId', 'textAttachment'],
      source:
        'Threads API, Posts, 2026-04-14; Polls, Text attachments, and Spoilers, 2026-07-02; Reply management, 2026-02-13',
    },
    emptyText: 'with media',
    others: [links, attachments],
  },
} satisfies PlatformDefinition
