import type { IssueCode } from '../../errors/issue.ts'
import { imageTypes, maxImageBytes, videoTypes } from '../../media/types.ts'
import { utf16Units } from '../../text/counting.ts'
import { minuteMs } from '../../time.ts'
import type { FileRule, Finding, MediaRule, OtherRule, PlatformDefinition, WarningRule } from '../definition.ts'
import { graphApi } from '../graph/site.ts'
import { videoStreams } from '../graph/video.ts'
import { InstagramMetadata, maxCaption } from './metadata.ts'
import { wrongUserTags } from './user-tags.ts'

const maxMentions = 20

/** An at sign at the start of a word, and the name of an account after it. */
const mention = /(?<![\p{L}\p{N}_.])@[\w.]+/gu

const userMediaSource = 'Instagram API, IG User Media, 2026-03'

const finding = (code: IssueCode, message: string, next: string): Finding[] => [{ code, message, next }]

/** Instagram's rules that are not numbers. */
const others: readonly OtherRule[] = [
  {
    says: `At most ${maxMentions} mentions of other accounts.`,
    source: userMediaSource,
    readsText: true,
    check({ text }) {
      const used = text.match(mention)?.length ?? 0
      if (used <= maxMentions) return []
      return finding('mention_limit', `${used}/${maxMentions} mentions`, `Remove ${used - maxMentions} of them.`)
    },
  },
  {
    says: 'A story cannot have collaborators.',
    source: userMediaSource,
    check({ metadata }) {
      const { format, collaborators = [] } = InstagramMetadata.parse(metadata)
      if (format !== 'story' || collaborators.length === 0) return []
      const next = 'Leave out metadata.instagram.collaborators.'
      return finding('metadata_invalid', 'a story cannot have collaborators', next)
    },
  },
  {
    says: 'On an image, a tag has x and y; on a reel, it has none; on a story, both or none. In a carousel, it is on an image.',
    source: `${userMediaSource}; changelog, user_tags of stories, 2025-07-09`,
    check: ({ metadata, media }) => wrongUserTags(InstagramMetadata.parse(metadata), media),
  },
  {
    says: 'Only a reel can be a trial.',
    source: 'Instagram API, Content Publishing, Trial reels, changelog, 2025-12-03',
    check({ metadata }) {
      const { format, trialParams } = InstagramMetadata.parse(metadata)
      if (trialParams === undefined || format === 'reel') return []
      const next = 'Send the format "reel", or leave out metadata.instagram.trialParams.'
      return finding('metadata_invalid', 'only a reel can be a trial', next)
    },
  },
  {
    says: 'thumbOffset is a moment of the reel, in milliseconds.',
    source: userMediaSource,
    check({ metadata, media }) {
      const { format, thumbOffset } = InstagramMetadata.parse(metadata)
      const durationMs = media[0]?.durationMs
      if (format !== 'reel' || thumbOffset === undefined || durationMs === undefined) return []
      if (thumbOffset <= durationMs) return []
      const next = `metadata.instagram.thumbOffset must be at most ${durationMs} milliseconds.`
      return finding('metadata_invalid', `thumbOffset is ${thumbOffset}, after the end of the video`, next)
    },
  },
]

/** Others are published, and shown to followers only. */
const reelsTab: WarningRule = {
  source: 'Instagram API, IG User Media, Reel Specifications, 2026-03',
  find({ metadata, media: [file] }) {
    const { width = 0, height = 0, durationMs = 0 } = file ?? {}
    if (InstagramMetadata.parse(metadata).format !== 'reel' || width === 0 || height === 0) return []
    const isVertical = Math.abs(width / height - 9 / 16) < 0.01
    if (isVertical && durationMs <= 90_000) return []
    const message = 'reels that are longer than 90 seconds or not 9:16 are not in the Reels tab'
    return [{ code: 'limited_reach', field: 'mediaUrls', message, next: 'Send a video of 9:16 and up to 90 seconds.' }]
  },
}

const source = 'Instagram API, Content publishing and media specifications, 2026-03; limits of this service'

/** Every upload is sent as JPEG, the only type Instagram takes. */
const anyImage: FileRule = {
  max: 1,
  types: imageTypes,
  maxBytes: maxImageBytes,
  sent: { types: ['image/jpeg'], maxBytes: 8_000_000 },
}
/** From 4:5 to 1.91:1 (Instagram Platform, "IG User Media", image specifications). Decided: 3:4 is refused until Meta's document names it. */
const feedImage: FileRule = { ...anyImage, minAspect: 0.8, maxAspect: 1.91, aspectDecimals: 2 }

const video: FileRule = {
  ...videoStreams,
  max: 1,
  types: videoTypes,
  maxBytes: 300_000_000,
  maxWidth: 1920,
  minAspect: 0.01,
  maxAspect: 10,
  minDurationMs: 3_000,
}
const shortVideo: FileRule = { ...video, maxDurationMs: 60_000 }
const longVideo: FileRule = { ...video, maxDurationMs: 15 * minuteMs }

const exactlyOne = { min: 1, max: 1, mixed: false, source }

/** One rule for each format. */
const media: readonly MediaRule[] = [
  { ...exactlyOne, when: { format: ['feed_image'] }, image: feedImage },
  {
    when: { format: ['carousel'] },
    min: 2,
    max: 10,
    image: { ...feedImage, max: 10 },
    video: { ...shortVideo, max: 10 },
    mixed: true,
    source,
  },
  { ...exactlyOne, when: { format: ['reel'] }, video: longVideo },
  {
    ...exactlyOne,
    when: { format: ['story'] },
    image: anyImage,
    video: { ...shortVideo, minAspect: 0.1, maxBytes: 100_000_000 },
  },
]

/** Instagram's rules: the limits of this service, and Meta's for media. */
export const definition = {
  id: 'instagram',
  name: 'Instagram',
  api: graphApi,
  hosts: {
    auth: 'https://www.instagram.com',
    token: 'https://api.instagram.com',
    api: 'https://graph.instagram.com',
  },
  postsAt: ['instagram.com'],
  connect: 'oauth',
  comment: {
    measures: [
      {
        max: maxCaption,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'that of captions; Instagram API, IG Media Comments, names no limit (2025-01-21)',
      },
    ],
    except: [{ when: { format: ['story'] }, says: 'Stories on Instagram take no comments.' }],
    source: 'Instagram API, IG Media Comments, 2025-01-21',
  },
  rules: {
    measures: [
      {
        max: maxCaption,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'Instagram API, IG User Media, caption, 2026-03',
      },
    ],
    textField: 'caption',
    media,
    metadata: {
      schema: InstagramMetadata,
      required: true,
      example: { format: 'feed_image' },
      source: 'fields of this service; Instagram API, 2026-03',
    },
    assetFields: { coverMediaAssetId: anyImage },
    hashtags: { max: 5, source: 'fields of this service; Instagram, 2025-12' },
    emptyText: 'with media',
    others,
    warnings: [reelsTab],
  },
} satisfies PlatformDefinition
