import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { chromaFormats, editListKinds } from '../media/video-info.ts'
import { platformIds } from '../resources.ts'

/** What a platform accepts of an image; anything larger, or of another type, is converted before it is sent. */
const SentImage = z.object({
  types: described(z.array(z.string()), 'The content types that the platform accepts.'),
  maxBytes: described(z.int(), 'The most bytes that the platform accepts.'),
  maxWidth: described(z.optional(z.int()), 'The most width in pixels. Absent: no limit.'),
  maxHeight: described(z.optional(z.int()), 'The most height in pixels. Absent: no limit.'),
})

/** The form in which a platform accepts a video. */
const SentVideo = z.object({
  container: described(z.optional(z.enum(['mp4'])), 'The container: a MOV becomes an MP4. Absent: any.'),
  indexFirst: described(z.optional(z.boolean()), 'Whether the index is before the media data. Absent: anywhere.'),
  editLists: described(
    z.optional(z.boolean()),
    'False if edit lists that change nothing are removed. Absent: they stay.',
  ),
})

const codecs = z.optional(z.array(z.string()))

/** Limits for the streams of a video. */
const streamLimits = {
  codecs: described(codecs, 'The video codecs, as `video.codec` of a file names them. Absent: any.'),
  chromas: described(
    z.optional(z.array(z.enum(chromaFormats))),
    'How colors may be sampled, as `video.chroma` of a file names it. Absent: in any way.',
  ),
  audioCodecs: described(codecs, 'The audio codecs, as `video.audioCodec` of a file names them. Absent: any.'),
  minFramesPerSecond: described(z.optional(z.number()), 'The fewest frames a second. Absent: no limit.'),
  maxFramesPerSecond: described(z.optional(z.number()), 'The most frames a second. Absent: no limit.'),
  maxVideoBitsPerSecond: described(
    z.optional(z.int()),
    'The highest average bit rate of the video track. Absent: no limit.',
  ),
  maxAudioSampleRateHz: described(z.optional(z.int()), 'The highest sample rate of the sound. Absent: no limit.'),
  maxAudioChannels: described(z.optional(z.int()), 'The most channels of the sound. Absent: no limit.'),
  editLists: described(
    z.optional(z.array(z.enum(editListKinds))),
    'What edit lists may do, as `video.editLists` of a file names it. Absent: anything.',
  ),
}

const FileRule = z.object({
  max: described(z.int(), 'The most files of this kind in one post.'),
  types: described(z.array(z.string()), 'The content types that posts can have.'),
  maxBytes: described(z.int(), 'The most bytes of one file.'),
  minWidth: described(z.optional(z.int()), 'The least width in pixels. Absent: no limit.'),
  maxWidth: described(z.optional(z.int()), 'The most width in pixels. Absent: no limit.'),
  minHeight: described(z.optional(z.int()), 'The least height in pixels. Absent: no limit.'),
  maxHeight: described(z.optional(z.int()), 'The most height in pixels. Absent: no limit.'),
  maxPixels: described(z.optional(z.int()), 'The most pixels, width times height. Absent: no limit.'),
  minAspect: described(z.optional(z.number()), 'The least width divided by height. Absent: no limit.'),
  maxAspect: described(z.optional(z.number()), 'The most width divided by height. Absent: no limit.'),
  aspectDecimals: described(
    z.optional(z.int()),
    'Width divided by height is rounded to this many decimals before it is compared. Absent: it is not rounded.',
  ),
  minDurationMs: described(z.optional(z.int()), 'The least duration in milliseconds. Absent: no limit.'),
  maxDurationMs: described(z.optional(z.int()), 'The most duration in milliseconds. Absent: no limit.'),
  maxFrames: described(z.optional(z.int()), 'The most frames of an animated image. Absent: no limit.'),
  maxMovingPixels: described(
    z.optional(z.int()),
    'The most pixels of all frames of an animated image together. Absent: no limit.',
  ),
  ...streamLimits,
  advised: described(
    z.optional(
      z.object({
        maxDurationMs: described(z.optional(z.int()), 'The most duration in milliseconds. Absent: no limit.'),
        ...streamLimits,
      }),
    ),
    'What the platform advises for a video. Anything else is a warning, `may_be_rejected`. Absent: nothing.',
  ),
  showsStill: described(
    z.optional(z.literal(true)),
    'Present if the platform shows the first frame of an animated image of this kind. Absent: it shows all frames of what is not converted.',
  ),
  sent: described(
    z.optional(SentImage),
    'What the platform itself accepts of an image. The service converts what is larger or of another type. Absent: nothing is converted.',
  ),
  sentVideo: described(
    z.optional(SentVideo),
    'The format of videos. The service rewrites other videos without decoding them. Absent: videos are sent unchanged.',
  ),
})

const TextMeasure = z.object({
  when: described(
    z.optional(z.record(z.string(), z.array(z.string()))),
    'The values of metadata fields that the measure is for. It overrides the measures without any. Absent: any.',
  ),
  max: described(z.int(), 'The most units of the text.'),
  unit: described(z.enum(['characters', 'bytes']), 'What is counted.'),
  counting: described(z.string(), 'How it is counted, for people.'),
  tier: described(
    z.optional(z.string()),
    'The tier of the accounts that the measure is for. It overrides the measures without one. Absent: all accounts.',
  ),
  source: described(z.string(), 'Where the rule comes from.'),
})

const MediaRule = z.object({
  when: described(
    z.optional(z.record(z.string(), z.array(z.string()))),
    'The values of metadata fields that the rule is for. The first rule that matches holds. Absent: any.',
  ),
  tier: described(z.optional(z.string()), 'The tier of the accounts that the rule is for. Absent: all accounts.'),
  min: described(z.int(), 'The fewest files of a post.'),
  max: described(z.int(), 'The most files of a post.'),
  image: described(z.optional(FileRule), 'What an image must be. Absent: images are not accepted.'),
  gif: described(z.optional(FileRule), 'What a GIF must be. Absent: GIFs are not accepted.'),
  video: described(z.optional(FileRule), 'What a video must be. Absent: videos are not accepted.'),
  document: described(z.optional(FileRule), 'What a document must be. Absent: documents are not accepted.'),
  mixed: described(z.boolean(), 'Whether a post can have files of several kinds.'),
  maxTotalBytes: described(z.optional(z.int()), 'The most bytes of all files of a post together. Absent: no limit.'),
  source: described(z.string(), 'Where the rule comes from.'),
})

/** What a platform accepts, as data: the same rules by which posts are validated, each with its source. */
export const PlatformView = z
  .object({
    id: described(z.enum(platformIds), 'The ID of the platform, the key of its block in `metadata`.'),
    name: described(z.string(), 'The name of the platform, for people.'),
    api: described(
      z.optional(
        z.object({
          version: described(
            z.nullable(z.string()),
            'The version of its API that the service calls; null if it has none.',
          ),
          endsOn: described(
            z.nullable(z.iso.date()),
            'The first day, in UTC, on which the platform may stop answering. Null if no end is known.',
          ),
          source: described(z.string(), 'Where this comes from.'),
          closing: described(
            z.optional(z.string()),
            'What is known of the end, for people. Present if the platform closes its API: from `endsOn` on, accounts cannot be connected and posts not be published. Absent: a newer release of the service calls a newer version.',
          ),
        }),
      ),
      'The API of the platform. An extension.',
    ),
    connectedBy: described(
      z.enum(['browser', 'app password', 'secret key']),
      'How accounts are connected: in a `browser`, by an `app password`, or by a `secret key`.',
    ),
    namesServer: described(
      z.optional(z.literal(true)),
      'Present if the person who connects an account names its server. Absent: the platform is one server.',
    ),
    text: described(
      z.object({
        field: described(
          z.optional(z.string()),
          'The metadata field that replaces `content`, if a post has it. Absent: none is.',
        ),
        empty: described(z.enum(['with media', 'always', 'never']), 'When the text may be empty.'),
        measures: described(z.array(TextMeasure), 'How long the text can be. All measures hold.'),
      }),
      'What a text must be.',
    ),
    media: described(z.array(MediaRule), 'What files a post can have. The first rule that matches holds.'),
    hashtags: described(
      z.optional(
        z.object({
          max: described(z.int(), 'The most hashtags of a post.'),
          source: described(z.string(), 'Where the rule comes from.'),
        }),
      ),
      'The limit of hashtags. Absent: no limit.',
    ),
    metadata: described(
      z.optional(
        z.object({
          required: described(z.boolean(), 'Whether posts need the block.'),
          schema: described(z.record(z.string(), z.unknown()), 'The JSON Schema of the block, draft 2020-12.'),
          form: described(
            z.record(z.string(), z.unknown()),
            'How people fill in the block, by field, in the order of the form: `label`, `help`, `choices` (a label for each value), `default`, `when` (the values of other fields that the field depends on), `item` (what an item of a list is called), and `fields` (of an object, or of each item). `hidden` instead: the field is for programs.',
          ),
          source: described(z.string(), 'Where the fields come from.'),
        }),
      ),
      'The block `metadata.<id>` of a post. Absent: the platform has none.',
    ),
    assetFields: described(
      z.record(z.string(), FileRule),
      'Metadata fields that name a file of the library, each with the rule for its file. A dot leads into an object, `*` into every item of a list.',
    ),
    rules: described(
      z.array(
        z.object({
          says: described(z.string(), 'The rule.'),
          source: described(z.string(), 'Where the rule comes from.'),
        }),
      ),
      'What else is checked, in sentences.',
    ),
    comment: described(
      z.optional(
        z.object({
          measures: described(
            z.optional(z.array(TextMeasure)),
            'How long the comment can be. All measures hold. Absent: the measures of a text, and the text rules.',
          ),
          except: described(
            z.optional(z.array(z.object({ says: described(z.string(), 'Which posts take no comment.') }))),
            'The posts that take no comment. Absent: all posts take one.',
          ),
          source: described(z.string(), 'Where the rule comes from.'),
        }),
      ),
      'What `firstComment` of a post must be. Absent: the platform takes none.',
    ),
    live: described(
      z.object({
        edit: described(z.boolean(), 'Whether the text of a live post can be edited: `PATCH` with `live=true`.'),
        delete: described(z.boolean(), 'Whether a live post can be deleted there: `DELETE` with `live=true`.'),
      }),
      'What can be done with a live post at the platform.',
    ),
    threads: described(
      z.optional(z.object({ source: described(z.string(), 'Where the rule comes from.') })),
      'Present if accounts take threads, posts that each reply to the previous one. Absent: they take none.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'Platform',
    description: 'The rules that posts are checked against, as data.',
  })
export type PlatformView = z.infer<typeof PlatformView>
