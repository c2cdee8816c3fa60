import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { maxCaptionsBytes, maxImageBytes, maxVideoBytes } from '../../media/types.ts'
import { limitedText, utf16Units } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'
import { minuteMs } from '../../time.ts'
import type { MediaRule, OtherRule, PlatformDefinition, WarningRule } from '../definition.ts'
import { captionsField, captionsFiles, captionsNeedVideo } from '../rules/captions.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'
import { linksOf } from './links.ts'
import { named } from './name.ts'
import { weightedLength } from './weighted-length.ts'

// X does not document what it counts: the strictest count is always accepted.
const pollOption = limitedText(25, utf16Units).check(notBlank)

/** The block `metadata.x`; unknown keys are preserved. */
export const XMetadata = z.looseObject({
  poll: described(
    z.optional(
      z.looseObject({
        options: described(
          z.array(pollOption).check(z.minLength(2), z.maxLength(4)),
          'The choices, 2 to 4, of at most 25 characters each.',
        ),
        durationMinutes: described(
          z.int().check(z.minimum(5), z.maximum(7 * 24 * 60)),
          'How long the poll is open, in minutes: 5 to 10,080 (7 days).',
        ),
      }),
    ),
    'A poll, in a post without media. In a thread, the first tweet has it.',
  ),
  captions: captionsField(1),
  replySettings: described(
    z.optional(z.enum(['following', 'mentionedUsers', 'subscribers', 'verified'])),
    'Who can reply: people whom the account follows, people whom the post mentions, subscribers of the account, or verified accounts. Everyone by default. In a thread, it applies to the first tweet.',
  ),
  madeWithAi: described(
    z.optional(z.boolean()),
    'Whether the post is labeled as made with AI. In a thread, each tweet is. False by default.',
  ),
  paidPartnership: described(
    z.optional(z.boolean()),
    'Whether the post is labeled as a paid partnership. In a thread, each tweet is. False by default.',
  ),
  communityId: described(
    z.optional(z.string().check(z.regex(/^\d{1,19}$/, { error: 'must be the ID of a community, 1 to 19 digits' }))),
    'The ID of the community to post in; the account must be a member. In a thread, the first tweet is posted there, and the others reply to it.',
  ),
  shareWithFollowers: described(
    z.optional(z.boolean()),
    'Whether followers of the account see the post in the community as well. Only with `communityId`. False by default.',
  ),
})
export type XMetadata = z.infer<typeof XMetadata>

const max = 1

/** A dollar sign after a blank or at the start, and one to six letters with up to two more after a dot: `$TSLA`, `$BRK.A`. */
const cashtag = /(?<=^|[\s\u0085\u180e])\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!'#%&()*+,\-./:;<=>?@[\]^_{|}~$\\])/gi

/** The cashtags of a text, as X links them, each as often as it occurs (twitter-text 3.1, cashtag). */
export const cashtagsIn = (text: string): string[] => text.match(cashtag) ?? []

/** X rejects a post with more of them (403, "Posts are limited to a maximum of one cashtag"). */
const oneCashtag: OtherRule = {
  says: 'At most one cashtag, such as $TSLA.',
  source: 'X API, POST /2/tweets, refusal 403, 2026',
  readsText: true,
  check({ text }) {
    const used = cashtagsIn(text).length
    if (used <= max) return []
    const next = `Remove ${used - max} of them, or write them without the dollar sign.`
    return [{ code: 'cashtag_limit', message: `${used}/${max} cashtags`, next }]
  },
}

const captionsSource = 'X API, POST /2/media/subtitles, OpenAPI 2.167, 2026-08'

const Languages = z.object({ captions: z.array(z.object({ language: z.string() })) })

const invalid = metadataFinding('x')

/** X names the language of subtitles by two letters. */
const captionsLanguage: OtherRule = {
  says: 'The language of captions has two letters, without a country.',
  source: captionsSource,
  readsMetadata: true,
  check({ metadata }) {
    const { captions = [] } = z.safeParse(Languages, metadata).data ?? {}
    const wrong = captions.findIndex(({ language }) => !/^[a-z]{2}$/i.test(language))
    if (wrong < 0) return []
    const message = `X takes no captions in ${captions[wrong]?.language}`
    return [invalid(`captions.${wrong}.language`, message, 'Send two letters, such as en or pt.')]
  },
}

const source = 'X API, POST /2/tweets, OpenAPI 2.167, 2026-08'

const pollWithoutMedia: OtherRule = {
  says: 'A post with a poll has no media.',
  source,
  readsMetadata: true,
  check({ metadata, media }) {
    if (XMetadata.parse(metadata ?? {}).poll === undefined || media.length === 0) return []
    return [invalid('poll', 'a post with a poll cannot have media', 'Remove the media, or leave out metadata.x.poll.')]
  },
}

const sharedFromCommunity: OtherRule = {
  says: 'shareWithFollowers needs communityId.',
  source: 'X API, changelog, share_with_followers, 2025-07-28',
  readsMetadata: true,
  check({ metadata }) {
    const { communityId, shareWithFollowers } = XMetadata.parse(metadata ?? {})
    if (shareWithFollowers !== true || communityId !== undefined) return []
    return [
      invalid(
        'shareWithFollowers',
        'shareWithFollowers needs communityId',
        'Send metadata.x.communityId, or leave out metadata.x.shareWithFollowers.',
      ),
    ]
  },
}

const priceOfLinks: WarningRule = {
  source: 'X API, Pricing, 2026-04-20',
  find({ text }) {
    if (linksOf(text).length === 0) return []
    const message = 'a post with a link costs the operator of this service 0.20 USD, one without 0.015 USD'
    return [{ code: 'platform_price', field: 'content', message, next: 'Leave out the link if it is not needed.' }]
  },
}

const counting = 'weighted by twitter-text 3: links 23, emoji and CJK 2'

const mediaOf = (maxVideoMs: number): MediaRule => ({
  min: 0,
  max: 4,
  image: {
    max: 4,
    types: ['image/jpeg', 'image/png', 'image/webp'],
    maxBytes: maxImageBytes,
    // Only a GIF is of the category that moves (X API, media upload, media_category).
    showsStill: true,
    // "Image dimensions must be >= 4x4 and <= 8192x8192" (X API, error 324): smaller ones are refused, larger ones scaled.
    minWidth: 4,
    minHeight: 4,
    sent: {
      types: ['image/jpeg', 'image/png', 'image/webp'],
      maxBytes: 5_000_000,
      maxWidth: 8192,
      maxHeight: 8192,
    },
  },
  gif: {
    max: 1,
    types: ['image/gif'],
    maxBytes: 15_000_000,
    maxWidth: 1280,
    maxHeight: 1080,
    maxFrames: 350,
    maxMovingPixels: 300_000_000,
  },
  video: {
    max: 1,
    types: ['video/mp4', 'video/quicktime'],
    // X accepts 8 GB from everyone, our gallery less.
    maxBytes: maxVideoBytes,
    minDurationMs: 500,
    maxDurationMs: maxVideoMs,
    // The page names 32x32 and 1280x1024; the upper limit is outdated: the page recommends 720x1280, and 1080p for
    // subscribers.
    minWidth: 32,
    minHeight: 32,
    minAspect: 1 / 3,
    maxAspect: 3,
    // The page's recommendations for videos.
    advised: {
      codecs: ['h264'],
      chromas: ['4:2:0'],
      audioCodecs: ['aac'],
      maxFramesPerSecond: 60,
      maxAudioChannels: 2,
    },
  },
  mixed: false,
  source: 'Media best practices and changelog, 2026-11; X API, error 324, 2026-11-29',
})

/** X's rules. Its documents have changed the length of videos often: X has the last word. */
export const definition = {
  ...named,
  postsAt: ['x.com'],
  connect: 'oauth',
  hasMonthlyCap: true,
  threads: { source: 'X API v2, OpenAPI 2.168, reply.in_reply_to_tweet_id, 2026-08' },
  // A reply does not name its community; the search after a lost response does.
  comment: { keeps: ['communityId'], source: 'a post that replies; X API v2, POST /2/tweets, 2026-11-26' },
  rules: {
    measures: [
      {
        max: 280,
        unit: 'characters',
        counting,
        count: weightedLength,
        source: 'limit of this service; Counting characters, 2026',
      },
      {
        max: 25_000,
        unit: 'characters',
        counting,
        count: weightedLength,
        tier: 'premium',
        source: 'limit of this service; About X Premium, 2026',
      },
    ],
    media: [{ ...mediaOf(125 * minuteMs), tier: 'premium' }, mediaOf(20 * minuteMs)],
    metadata: {
      schema: XMetadata,
      required: false,
      firstOnly: ['poll', 'captions', 'replySettings', 'shareWithFollowers'],
      source,
    },
    assetFields: captionsFiles(maxCaptionsBytes),
    emptyText: 'with media',
    others: [
      oneCashtag,
      pollWithoutMedia,
      sharedFromCommunity,
      captionsNeedVideo('x', captionsSource),
      captionsLanguage,
    ],
    warnings: [priceOfLinks],
  },
} satisfies PlatformDefinition
