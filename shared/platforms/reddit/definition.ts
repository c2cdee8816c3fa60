import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { codePoints, limitedText, utf16Units } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'
import { webUrl } from '../../text/web-url.ts'
import { minuteMs } from '../../time.ts'
import type { FileRule, MediaRule, OtherRule, PlatformDefinition } from '../definition.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'

const maxText = 40_000

/** The block `metadata.reddit`; unknown keys are preserved. */
export const RedditMetadata = z.looseObject({
  subreddit: described(
    z.string().check(
      z.regex(/^(?:\/?r\/)?(?:u_[\w-]{3,20}|\w{2,24})$/i, {
        error: 'must be the name of a subreddit, such as AskReddit',
      }),
    ),
    'The subreddit to post in, with or without `r/`.',
  ),
  title: described(
    limitedText(300, codePoints).check(z.regex(/^(?=[^\r\n]*\S)[^\r\n]+$/, { error: 'must be one line of text' })),
    'The title of the post, one line of at most 300 characters.',
  ),
  kind: described(
    z.enum(['self', 'link', 'image', 'video', 'crosspost']),
    'What the post is: a text (`self`), a link, an image, a video, or a crosspost of another post.',
  ),
  body: described(z.optional(limitedText(maxText, codePoints)), 'The text of the post. It replaces `content`.'),
  url: described(z.optional(webUrl), 'The URL of a post of the kind `link`, which requires it.'),
  crosspostFullname: described(
    z.optional(
      z.string().check(z.regex(/^t3_[0-9a-z]{1,13}$/, { error: 'must be the full name of a post, such as t3_1abcde' })),
    ),
    'The full name of the post that a post of the kind `crosspost` shows, which requires it: `t3_` and what follows `comments/` in the URL of that post. It is `platformPostId` of a post of this service.',
  ),
  format: described(
    z.optional(z.enum(['gallery'])),
    '`gallery`: a post of the kind `image` shows 2 to 20 images. Absent: one image.',
  ),
  captions: described(
    z.optional(z.array(limitedText(180, codePoints)).check(z.maxLength(20))),
    'The captions of a gallery, one for each image in their order, at most 180 characters each. An empty text is none.',
  ),
  poll: described(
    z.optional(
      z.looseObject({
        options: described(
          z.array(limitedText(120, utf16Units).check(notBlank)).check(z.minLength(2), z.maxLength(6)),
          'The choices, 2 to 6, of at most 120 characters each.',
        ),
        durationDays: described(
          z.int().check(z.minimum(1), z.maximum(7)),
          'How long the poll is open, in days: 1 to 7.',
        ),
      }),
    ),
    'A poll below the text of a post of the kind `self`.',
  ),
  flairId: described(
    z.optional(z.string()),
    'The ID of a flair. `GET /api/social-accounts/reddit/flair-options` lists them. Required by some subreddits.',
  ),
  flairText: described(
    z.optional(limitedText(64, codePoints)),
    'A text that replaces that of the flair, at most 64 characters, if the flair allows it.',
  ),
  /** The image that stands for a video. Decided: a neutral one if none is named. */
  posterMediaAssetId: described(
    z.optional(z.string()),
    'The ID of the image, `med_…`, that stands for a video. A neutral one by default.',
  ),
  nsfw: described(z.optional(z.boolean()), 'Whether the post is marked as not safe for work. False by default.'),
  spoiler: described(z.optional(z.boolean()), 'Whether the post is marked as a spoiler. False by default.'),
  sendReplies: described(z.optional(z.boolean()), 'Whether the account gets replies in its inbox. True by default.'),
  resubmit: described(
    z.optional(z.boolean()),
    'Whether a link that is in the subreddit already can be posted again. False by default.',
  ),
})
export type RedditMetadata = z.infer<typeof RedditMetadata>

/** The bare name; people write `r/name` as well. */
export const subredditName = (written: string): string => written.replace(/^\/?r\//i, '')

const image: FileRule = {
  max: 1,
  types: imageTypes,
  maxBytes: maxImageBytes,
  sent: { types: ['image/jpeg', 'image/png', 'image/gif'], maxBytes: 20_000_000 },
}
const video: FileRule = { max: 1, types: videoTypes, maxBytes: 1_000_000_000, maxDurationMs: 15 * minuteMs }

const mediaSource = 'Reddit Help, image and video posts, 2026-11-21'
const gallerySource =
  'Reddit API, submit_gallery_post, as PRAW 8 sends it, 2026-08-17; number of images: what Reddit takes by hand'

const media: readonly MediaRule[] = [
  {
    when: { kind: ['image'], format: ['gallery'] },
    min: 2,
    max: 20,
    image: { ...image, max: 20 },
    mixed: false,
    source: gallerySource,
  },
  { when: { kind: ['image'] }, min: 1, max: 1, image, mixed: false, source: mediaSource },
  { when: { kind: ['video'] }, min: 1, max: 1, video, mixed: false, source: mediaSource },
  {
    when: { kind: ['self', 'link', 'crosspost'] },
    min: 0,
    max: 0,
    image: { ...image, max: 0 },
    video: { ...video, max: 0 },
    mixed: true,
    source: 'Reddit API, submit, kind, 2026-11-21',
  },
]

const invalid = metadataFinding('reddit')

const linkNeedsUrl: OtherRule = {
  says: 'A post of kind link requires a URL.',
  source: 'Reddit API, submit, 2026-11-21',
  check({ metadata }) {
    const parsed = z.safeParse(RedditMetadata, metadata)
    if (!parsed.success || parsed.data.kind !== 'link' || parsed.data.url) return []
    const message = 'metadata.reddit.url is missing for a post of kind link'
    return [{ code: 'metadata_invalid', message, next: 'Send the URL as metadata.reddit.url.' }]
  },
}

const crosspostSource = 'Reddit API, submit, kind and crosspost_fullname, as PRAW 8 sends them, 2026-08-17'

const crosspostNeedsPost: OtherRule = {
  says: 'A post of kind crosspost requires crosspostFullname, which no other kind has.',
  source: crosspostSource,
  check({ metadata }) {
    const { kind, crosspostFullname } = RedditMetadata.parse(metadata)
    if ((kind === 'crosspost') === (crosspostFullname !== undefined)) return []
    const field = 'metadata.reddit.crosspostFullname'
    const [message, next] =
      kind === 'crosspost'
        ? [`${field} is missing for a post of kind crosspost`, `Send the full name of the post as ${field}.`]
        : [`crosspostFullname does not belong to a post of kind ${kind}`, `Leave out ${field}, or change the kind.`]
    return [invalid('crosspostFullname', message, next)]
  },
}

const crosspostWithoutText: OtherRule = {
  says: 'A post of kind crosspost has a title, and no text.',
  source: crosspostSource,
  check({ metadata, text }) {
    if (RedditMetadata.parse(metadata).kind !== 'crosspost' || text.trim() === '') return []
    return [
      invalid(
        'body',
        'a crosspost has no text beside its title',
        'Leave out the text, or send an empty metadata.reddit.body.',
      ),
    ]
  },
}

const pollSource = 'Reddit API, submit_poll_post, as PRAW 8 sends it, 2026-08-17; options: what Reddit takes by hand'

const pollInText: OtherRule = {
  says: 'A poll belongs to a post of kind self.',
  source: pollSource,
  check({ metadata }) {
    const { kind, poll } = RedditMetadata.parse(metadata)
    if (poll === undefined || kind === 'self') return []
    return [
      invalid(
        'poll',
        `a poll does not belong to a post of kind ${kind}`,
        'Leave out metadata.reddit.poll, or send the kind self.',
      ),
    ]
  },
}

const galleryOfImages: OtherRule = {
  says: 'A gallery is a post of kind image, and has at most one caption for each image.',
  source: gallerySource,
  check({ metadata, media: { length } }) {
    const { kind, format, captions } = RedditMetadata.parse(metadata)
    if (format !== undefined && kind !== 'image') {
      const next = 'Leave out metadata.reddit.format, or send the kind image.'
      return [invalid('format', `a gallery is not of kind ${kind}`, next)]
    }
    if (captions === undefined || (format !== undefined && captions.length <= length)) return []
    return [
      format === undefined
        ? invalid('captions', 'captions belong to a gallery', 'Leave them out, or send metadata.reddit.format.')
        : invalid('captions', `there are ${captions.length} captions for ${length} images`, 'Leave out the last ones.'),
    ]
  },
}

/** Reddit's rules. The additional rules of a subreddit are queried live (`requirements.ts`). */
export const definition = {
  id: 'reddit',
  name: 'Reddit',
  api: {
    version: null,
    // The first day after the month that is reported.
    endsOn: '2027-04-01',
    source:
      'second hand: README of jordanburke/reddit-mcp-server and other reports of October and November 2026; the announcements of Reddit (r/redditdev and r/modnews, 2026-09-30) were not read',
    closing:
      'Reddit closes its API in March 2027, as others report of its announcement of 2026-09-30: it has granted no new access since 2026-10-31, and removes apps that have not registered from 2027-01-12 on.',
  },
  hosts: { auth: 'https://www.reddit.com', token: 'https://www.reddit.com', api: 'https://oauth.reddit.com' },
  postsAt: ['reddit.com'],
  connect: 'oauth',
  generated: { maxTitle: 300, metadata: (title) => ({ title, kind: 'self' }) },
  comment: {
    measures: [
      {
        max: 10_000,
        unit: 'characters',
        counting: 'code points',
        count: codePoints,
        source: 'Reddit API, comment: what Reddit takes by hand, 2026-11-26',
      },
    ],
    source: 'Reddit API, comment, 2026-11-26',
  },
  rules: {
    measures: [
      {
        max: maxText,
        unit: 'characters',
        counting: 'code points',
        count: codePoints,
        source: 'limit of this service; Reddit API, submit, 2026-11-21',
      },
    ],
    textField: 'body',
    media,
    metadata: {
      schema: RedditMetadata,
      required: true,
      example: { subreddit: 'test', title: 'Sourdough, baked this morning', kind: 'self' },
      source: `fields of this service; ${crosspostSource}; ${pollSource}; ${gallerySource}`,
    },
    assetFields: { posterMediaAssetId: image },
    // The title is the post.
    emptyText: 'always',
    others: [linkNeedsUrl, crosspostNeedsPost, crosspostWithoutText, pollInText, galleryOfImages],
  },
} satisfies PlatformDefinition
