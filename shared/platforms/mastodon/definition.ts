import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { counted, graphemes, limitedText } from '../../text/counting.ts'
import { notBlank } from '../../text/not-blank.ts'
import type { OtherRule, PlatformDefinition, PostRules } from '../definition.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'
import { limitsOf, type ServerLimits, usualLimits } from './limits.ts'
import { mastodonLength } from './text.ts'

/** Wider than the limits of any server. `rulesWith` checks the limits of each server. */
const [maxSpoilerCharacters, maxOptions, maxOptionCharacters, maxPollSeconds] = [100_000, 100, 1_000, 315_576_000]

/** The block `metadata.mastodon`; unknown keys are preserved. */
export const MastodonMetadata = z.looseObject({
  visibility: described(
    z.optional(z.enum(['public', 'unlisted', 'private'])),
    'Who sees the post: everyone, everyone but not in public timelines (`unlisted`), or followers (`private`). The default of the account if absent. In a thread, it applies to each post. A first comment has the visibility of its post.',
  ),
  spoilerText: described(
    z.optional(limitedText(maxSpoilerCharacters, graphemes).check(notBlank)),
    'The content warning, behind which the text is hidden. It counts as a part of the text. In a thread, each post has it.',
  ),
  isSensitive: described(
    z.optional(z.boolean()),
    'Whether media are covered until a reader opens them. The default of the account if absent. In a thread, it applies to each post.',
  ),
  language: described(
    z.optional(z.string().check(z.regex(/^[a-z]{2,3}$/, { error: 'must be an ISO 639 code, such as en' }))),
    'The language of the text, an ISO 639 code such as `en`. The default of the account if absent. In a thread, it applies to each post.',
  ),
  poll: described(
    z.optional(
      z.looseObject({
        options: described(
          z.array(limitedText(maxOptionCharacters, graphemes).check(notBlank)).check(
            z.minLength(2),
            z.maxLength(maxOptions),
            z.refine((options) => new Set(options).size === options.length, { error: 'must differ from each other' }),
          ),
          'The choices, different from each other: 2 to 4 of at most 50 characters each, unless the server has other limits.',
        ),
        durationSeconds: described(
          z.int().check(z.minimum(1), z.maximum(maxPollSeconds)),
          'How long the poll is open: 300 to 2,629,746 seconds (five minutes to a month), unless the server has other limits.',
        ),
        isMultiple: described(z.optional(z.boolean()), 'Whether several choices can be selected. False by default.'),
        hidesTotals: described(
          z.optional(z.boolean()),
          'Whether the votes are hidden until the poll ends. False by default.',
        ),
      }),
    ),
    'A poll, in a post without media. In a thread, the first post has it.',
  ),
})
export type MastodonMetadata = z.infer<typeof MastodonMetadata>

const invalid = metadataFinding('mastodon')

const pollWithoutMedia: OtherRule = {
  says: 'A post with a poll has no media.',
  source: 'Mastodon API, statuses, Post a new status, media_ids, 2026-07-02',
  readsMetadata: true,
  check({ metadata, media }) {
    if (media.length === 0 || MastodonMetadata.parse(metadata ?? {}).poll === undefined) return []
    return [
      invalid('poll', 'a post with a poll cannot have media', 'Remove the media, or leave out metadata.mastodon.poll.'),
    ]
  },
}

const pollWithin = (limits: ServerLimits): OtherRule => {
  const { pollOptions, pollOptionCharacters, pollMinSeconds, pollMaxSeconds } = limits
  return {
    says: `A poll has at most ${pollOptions} options of at most ${pollOptionCharacters} characters, and is open for ${pollMinSeconds} to ${pollMaxSeconds} seconds.`,
    source: 'Mastodon API, Instance, configuration.polls, 2026-07-02',
    readsMetadata: true,
    check({ metadata }) {
      const { poll } = MastodonMetadata.parse(metadata ?? {})
      if (poll === undefined) return []
      const { options, durationSeconds } = poll
      const extra = options.length - pollOptions
      return [
        ...(extra > 0
          ? [invalid('poll.options', `${options.length}/${pollOptions} options`, `Remove ${counted(extra, 'option')}.`)]
          : []),
        ...options.flatMap((option, n) => {
          const used = graphemes(option)
          if (used <= pollOptionCharacters) return []
          return [invalid(`poll.options.${n}`, `${used}/${pollOptionCharacters} characters`, 'Shorten the option.')]
        }),
        ...(durationSeconds < pollMinSeconds || durationSeconds > pollMaxSeconds
          ? [
              invalid(
                'poll.durationSeconds',
                `a poll of ${durationSeconds} seconds`,
                `Send ${pollMinSeconds} to ${pollMaxSeconds} seconds.`,
              ),
            ]
          : []),
      ]
    },
  }
}

const warningWithText = ({ maxCharacters }: ServerLimits): OtherRule => ({
  says: `The content warning and the text have at most ${maxCharacters} characters together.`,
  source: 'Mastodon source, StatusLengthValidator, 2026-11-26',
  readsText: true,
  readsMetadata: true,
  check({ metadata, text }) {
    const { spoilerText = '' } = MastodonMetadata.parse(metadata ?? {})
    const used = graphemes(spoilerText) + mastodonLength(text)
    if (spoilerText === '' || used <= maxCharacters) return []
    return [
      {
        code: 'content_length',
        field: 'metadata.mastodon.spoilerText',
        message: `the content warning and the text have ${used}/${maxCharacters} characters`,
        next: `Remove ${counted(used - maxCharacters, 'character')}.`,
      },
    ]
  },
})

/** The rules of a server by its limits. */
const rulesWith = (limits: ServerLimits): PostRules => ({
  measures: [
    {
      max: limits.maxCharacters,
      unit: 'characters',
      counting: 'graphemes, a link as 23, a mention without its server',
      count: mastodonLength,
      source: 'Mastodon documentation, Posting to your profile, Text, 2026-07-02',
    },
  ],
  media: [
    {
      min: 0,
      max: limits.maxMedia,
      image: {
        max: limits.maxMedia,
        types: imageTypes,
        maxBytes: maxImageBytes,
        maxPixels: limits.imagePixels,
        // The limit itself is one byte too many (Mastodon source, MediaAttachment, less_than).
        sent: { types: ['image/jpeg', 'image/png', 'image/webp'], maxBytes: limits.imageBytes - 1 },
      },
      // It becomes a video: at most one, of 1280 x 720 pixels (Posting to your profile, Attachments).
      gif: { max: 1, types: ['image/gif'], maxBytes: limits.imageBytes - 1, maxPixels: 921_600 },
      video: {
        max: 1,
        types: videoTypes,
        maxBytes: limits.videoBytes - 1,
        maxPixels: limits.videoPixels,
        maxFramesPerSecond: limits.videoFramesPerSecond,
      },
      mixed: false,
      source:
        'Mastodon documentation, Posting to your profile, Attachments, and Instance, configuration, 2026-07-02; Mastodon source, MediaAttachment and Attachmentable, 2026-11-26',
    },
  ],
  metadata: {
    schema: MastodonMetadata,
    required: false,
    firstOnly: ['poll'],
    source:
      'Mastodon API, statuses, Post a new status, and Instance, configuration.polls, 2026-07-02; `direct` is left out: such a post is a message',
  },
  emptyText: 'with media',
  others: [pollWithoutMedia, pollWithin(limits), warningWithText(limits)],
})

/** The rules of a Mastodon server with default settings. Accounts have those of their server. */
export const definition = {
  id: 'mastodon',
  name: 'Mastodon',
  api: { version: 'v1', endsOn: null, source: 'Mastodon API, statuses, 2026-07-02; media are sent to v2' },
  postsAt: 'server',
  connect: 'oauth',
  server: {
    autocomplete: 'off',
    maxLength: 300,
    name: 'server',
    label: 'Server',
    type: 'text',
    hint: 'Where your account is, for example mastodon.social',
  },
  threads: { source: 'Mastodon API, statuses, Post a new status, in_reply_to_id, 2026-07-02' },
  comment: {
    keeps: ['visibility', 'language'],
    source: 'a post that replies; Mastodon API, statuses, Post a new status, in_reply_to_id, 2026-07-02',
  },
  rules: rulesWith(usualLimits),
  rulesFor: (details) => rulesWith(limitsOf(details)),
} satisfies PlatformDefinition
