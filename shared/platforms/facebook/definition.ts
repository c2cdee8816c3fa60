import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import { imageTypes, maxCaptionsBytes, maxImageBytes, maxVideoBytes, videoTypes } from '../../media/types.ts'
import { utf16Units } from '../../text/counting.ts'
import { minuteMs } from '../../time.ts'
import type { FileRule, MediaRule, OtherRule, PlatformDefinition } from '../definition.ts'
import { graphApi } from '../graph/site.ts'
import { linksIn } from '../links.ts'
import { captionsField, captionsFiles, captionsNeedVideo } from '../rules/captions.ts'
import { metadataFinding } from '../rules/metadata-finding.ts'

/** What a post can be, other than text and photos in the feed. */
export const formats = ['video', 'reel', 'photo_story', 'video_story'] as const

/** The block `metadata.facebook`; unknown keys are preserved. */
export const FacebookMetadata = z.looseObject({
  format: described(
    z.optional(z.enum(formats)),
    'What the post is. Each takes one file, and a story no text. Absent: a text or photos in the feed.',
  ),
  captions: captionsField(5),
})

const oneLink: OtherRule = {
  says: 'At most one link.',
  source: 'limit of this service',
  readsText: true,
  check({ text }) {
    const used = linksIn(text).length
    if (used <= 1) return []
    return [{ code: 'link_limit', message: `${used}/1 links`, next: `Remove ${used - 1} of them.` }]
  },
}

const storiesSource = 'Facebook Stories API, v25.0, 2026-05'

const noTextInStories: OtherRule = {
  says: 'A story has no text.',
  source: storiesSource,
  check({ text, metadata }) {
    const { format } = FacebookMetadata.parse(metadata ?? {})
    if (text.trim() === '' || !format?.endsWith('story')) return []
    const next = 'Leave the content empty, or choose another metadata.facebook.format.'
    return [{ code: 'content_invalid', message: 'a story shows no text', next }]
  },
}

const captionsSource = 'Graph API v25.0, Video Captions, 2026-11-27; number of tracks: limit of this service'

const invalid = metadataFinding('facebook')

/** Facebook names the language of captions by a locale, and stories have none. */
const captionsOnFacebook: OtherRule = {
  says: 'Captions name a language and a country, and stories have no captions.',
  source: captionsSource,
  readsMetadata: true,
  check({ metadata }) {
    const { format, captions = [] } = FacebookMetadata.parse(metadata)
    if (captions.length > 0 && format?.endsWith('story')) {
      return [invalid('captions', 'stories have no captions', 'Leave out metadata.facebook.captions.')]
    }
    return captions.flatMap(({ language }, index) => {
      if (/^[a-z]{2,3}-[A-Z]{2}$/.test(language)) return []
      const message = `Facebook takes no captions in ${language}`
      return [invalid(`captions.${index}.language`, message, 'Send language and country, such as en-US.')]
    })
  },
}

const image: FileRule = {
  max: 10,
  types: imageTypes,
  maxBytes: maxImageBytes,
  // The documents say 10 MB; above 4 MB photos are refused (error 1366046).
  sent: { types: ['image/jpeg', 'image/png'], maxBytes: 4_000_000 },
}
const video: FileRule = { max: 1, types: videoTypes, maxBytes: maxVideoBytes }
const vertical: FileRule = {
  ...video,
  minWidth: 540,
  minHeight: 960,
  // 9:16; decided: within two percent, as encoders round to even pixels.
  minAspect: 0.55,
  maxAspect: 0.575,
  minDurationMs: 3_000,
  // The page's table; no known error rejects anything else.
  advised: {
    codecs: ['h264', 'hevc', 'vp9', 'av1'],
    chromas: ['4:2:0'],
    minFramesPerSecond: 24,
    maxFramesPerSecond: 60,
  },
}

const exactlyOne = { min: 1, max: 1, mixed: false }
const reelsSource = 'Reels Publishing API, v25.0, 2026-07-30'

/** One rule for each format, and the one of the feed. */
const media: readonly MediaRule[] = [
  { ...exactlyOne, when: { format: ['video'] }, video, source: 'Graph API v25.0, Page videos, 2026' },
  {
    ...exactlyOne,
    when: { format: ['reel'] },
    video: { ...vertical, maxDurationMs: 1.5 * minuteMs },
    source: reelsSource,
  },
  { ...exactlyOne, when: { format: ['photo_story'] }, image: { ...image, max: 1 }, source: storiesSource },
  {
    ...exactlyOne,
    when: { format: ['video_story'] },
    video: { ...vertical, maxDurationMs: minuteMs },
    source: storiesSource,
  },
  { min: 0, max: 10, image, mixed: false, source: 'limit of this service; Graph API v25.0, Page photos, 2026' },
]

/**
 * The rules of Facebook Pages: the limits of this service (text, one link; photos only unless `format` says otherwise), and
 * Meta's for files.
 */
export const definition = {
  id: 'facebook',
  name: 'Facebook',
  fullName: 'Facebook Pages',
  api: graphApi,
  hosts: {
    auth: 'https://www.facebook.com',
    token: 'https://graph.facebook.com',
    api: 'https://graph.facebook.com',
  },
  postsAt: ['facebook.com', 'fb.watch'],
  connect: 'oauth',
  comment: {
    measures: [
      {
        max: 8000,
        unit: 'characters',
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'Facebook shows no more; Graph API v25.0, Object Comments, 2026-11-26, names no limit',
      },
    ],
    except: [{ when: { format: ['photo_story', 'video_story'] }, says: 'Stories on Facebook take no comments.' }],
    source: 'Graph API v25.0, Object Comments, 2026-11-26',
  },
  rules: {
    measures: [
      {
        max: 63_206,
        unit: 'characters',
        // Facebook does not document what it counts: the strictest count is always accepted.
        counting: 'UTF-16 code units',
        count: utf16Units,
        source: 'limit of this service; Graph API v25.0, Page feed, 2026',
      },
    ],
    media,
    metadata: { schema: FacebookMetadata, required: false, source: `${reelsSource}; ${storiesSource}` },
    emptyText: 'with media',
    assetFields: captionsFiles(maxCaptionsBytes),
    others: [oneLink, noTextInStories, captionsNeedVideo('facebook', captionsSource), captionsOnFacebook],
  },
} satisfies PlatformDefinition
