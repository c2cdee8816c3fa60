import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, videoTypes } from '../../media/types.ts'
import { codePoints } from '../../text/counting.ts'
import type { MediaRule, OtherRule, PlatformDefinition } from '../definition.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'
import { Embed, embedLength } from './embeds.ts'
import { Poll } from './poll.ts'

const maxFileBytes = 10 * 1024 * 1024
export const maxTotalBytes = 25 * 1024 * 1024 - 64 * 1024

/** The block `metadata.discord`; unknown keys are preserved. */
export const DiscordMetadata = z.looseObject({
  channelId: described(
    z.string().check(z.regex(/^\d{17,20}$/, { error: 'must be the id of a channel, 17 to 20 digits' })),
    'The ID of the channel to post to. `GET /api/social-accounts/discord/channels` lists them.',
  ),
  channelName: described(
    z.optional(z.string()),
    'The name of the channel, for your own use. The service keeps it and does not send it.',
  ),
  embeds: described(
    z.optional(z.array(Embed).check(z.minLength(1), z.maxLength(10))),
    'Embeds below the text, 1 to 10. Their titles, texts, names, and footers have at most 6,000 characters together.',
  ),
  poll: described(
    z.optional(Poll),
    'A poll below the text, in a post without files and embeds. A live post with a poll cannot be edited.',
  ),
})

const invalid = metadataFinding('discord')

const maxEmbedLength = 6000

const shortEmbeds: OtherRule = {
  says: `The embeds of a post have at most ${maxEmbedLength} characters together.`,
  source: 'Message Resource, Embed Limits, 2026-08-06',
  check({ metadata }) {
    const { embeds = [] } = DiscordMetadata.parse(metadata)
    const used = embeds.reduce((sum, embed) => sum + embedLength(embed), 0)
    if (used <= maxEmbedLength) return []
    return [
      invalid(
        'embeds',
        `the embeds have ${used}/${maxEmbedLength} characters together`,
        `Shorten them by ${used - maxEmbedLength}.`,
      ),
    ]
  },
}

const pollAlone: OtherRule = {
  says: 'A post with a poll has neither files nor embeds.',
  // The documentation shows polls together with a text only, and does not say what else can accompany them.
  source: 'Create Message and Poll Resource, 2026-08-06; the careful reading',
  check({ metadata, media }) {
    const { embeds, poll } = DiscordMetadata.parse(metadata)
    if (poll === undefined || (media.length === 0 && embeds === undefined)) return []
    const [what, next] = media.length > 0 ? ['files', 'the files'] : ['embeds', 'metadata.discord.embeds']
    return [
      invalid('poll', `a post with a poll cannot have ${what}`, `Remove ${next}, or leave out metadata.discord.poll.`),
    ]
  },
}

const mediaOf = (maxBytes: number): MediaRule => ({
  min: 0,
  max: 10,
  image: { max: 10, types: imageTypes, maxBytes },
  video: { max: 10, types: videoTypes, maxBytes },
  mixed: true,
  // The whole request may have 25 MiB; the rest is text.
  maxTotalBytes,
  source: 'Uploading Files, 2026-08-06; limits of this service',
})

/** The boost tier of a server, `premium_tier`, as named by the rules. */
export const tierOf = (premiumTier: number): 'boosted' | 'free' => (premiumTier >= 2 ? 'boosted' : 'free')

/** Discord's rules: the limits of this service, and the size of one file by the boosts of the server. */
export const definition = {
  id: 'discord',
  name: 'Discord',
  api: { version: 'v10', endsOn: null, source: 'Discord API reference, API Versioning, 2026-08-06' },
  hosts: { auth: 'https://discord.com', token: 'https://discord.com', api: 'https://discord.com' },
  postsAt: ['discord.com'],
  connect: 'oauth',
  // 25 MiB per post are sent in the publishing call itself.
  publishBatch: 4,
  comment: { keeps: ['channelId'], source: 'a message that replies; Discord API v10, Create Message, 2026-11-26' },
  rules: {
    measures: [
      {
        max: 2000,
        unit: 'characters',
        counting: 'code points',
        count: codePoints,
        source: 'Create Message, content, 2026-08-06; discord-api-docs issue 1315',
      },
    ],
    // From boost tier 2 on, a file may have 50 or 100 MB: the size of the whole request is the limit.
    media: [{ ...mediaOf(maxTotalBytes), tier: 'boosted' }, mediaOf(maxFileBytes)],
    metadata: {
      schema: DiscordMetadata,
      required: true,
      example: { channelId: '1300000000000000102' },
      source: 'fields of this service; Message and Poll Resource, 2026-08-06',
    },
    emptyText: 'with media',
    others: [shortEmbeds, pollAlone],
  },
} satisfies PlatformDefinition
