import type * as z from 'zod/mini'
import type { Issue } from '../errors/issue.ts'
import type { ImageFormat } from '../media/image-formats.ts'
import type { MediaFile } from '../media/media-file.ts'
import type { VideoForm } from '../media/video-form.ts'
import type { ChromaFormat, EditListKind } from '../media/video-info.ts'
import type { Field } from '../pages/field.ts'
import type { PlatformId } from '../resources.ts'

/** One count of a text against a limit. All measures of an account apply together. */
export interface TextMeasure {
  /** The metadata values that the measure applies to. It replaces the measures without any. */
  when?: Readonly<Record<string, readonly string[]>>
  max: number
  unit: 'characters' | 'bytes'
  /** The unit of the count, for readers of the docs: `graphemes`, `UTF-16 code units`. */
  counting: string
  count(text: string): number
  /** Applies only to accounts of this tier. It replaces the measures without a tier. */
  tier?: string
  /** Source and date of the rule. */
  source: string
}

/**
 * Limits for the streams of a video, as its index names them (`VideoInfo`). Values that the index does not contain break
 * none.
 */
export interface StreamLimits {
  codecs?: readonly string[]
  chromas?: readonly ChromaFormat[]
  audioCodecs?: readonly string[]
  /** Compared as whole numbers: recorders keep their rate only roughly. */
  minFramesPerSecond?: number
  maxFramesPerSecond?: number
  maxVideoBitsPerSecond?: number
  maxAudioSampleRateHz?: number
  maxAudioChannels?: number
  editLists?: readonly EditListKind[]
}

/** Limits for each file of one kind. */
export interface FileRule extends StreamLimits {
  /** Maximum number of files of this kind in one post. */
  max: number
  types: readonly string[]
  maxBytes: number
  minWidth?: number
  maxWidth?: number
  minHeight?: number
  maxHeight?: number
  maxPixels?: number
  /** Width divided by height. */
  minAspect?: number
  maxAspect?: number
  /** The decimals to which the platform rounds its limits, and so the ratio that is compared with them. */
  aspectDecimals?: number
  minDurationMs?: number
  maxDurationMs?: number
  /** For an animated image. */
  maxFrames?: number
  /** All frames of an animated image together. */
  maxMovingPixels?: number
  /** What the platform recommends for a video, or converts it to: other values cause a warning. */
  advised?: StreamLimits & { maxDurationMs?: number }
  /** The platform accepts an animated image, and shows its first frame. */
  showsStill?: true
  /** The format in which an image is sent. Larger images, and images of other types, are converted to it. */
  sent?: ImageFormat
  /** The form in which a video is sent. Another form is rewritten without decoding, if possible. */
  sentVideo?: VideoForm
}

/** Limits for the media of a post. An animated GIF counts as an image unless it has a separate rule. */
export interface MediaRule {
  /**
   * The metadata values the rule applies to. The first rule that matches applies; a rule without `when` always matches.
   */
  when?: Readonly<Record<string, readonly string[]>>
  /** Applies to accounts of this tier only; listed before the rule of all others. */
  tier?: string
  min: number
  max: number
  image?: FileRule
  gif?: FileRule
  video?: FileRule
  document?: FileRule
  /** Captions belong to a field of the metadata (`PostRules.assetFields`). */
  captions?: never
  /** Files of different kinds may be in one post. */
  mixed: boolean
  maxTotalBytes?: number
  source: string
}

/** A violation of a rule, without the account and platform it is about. */
export type Finding = Required<Pick<Issue, 'code' | 'message' | 'next'>> & Pick<Issue, 'field'>

/** One account's part of a post, as validated. */
export interface CheckedPost {
  socialAccountId: string
  /** The ID of the account at its platform; absent if only a text is checked. */
  externalId?: string
  /** The account's tier at its platform, if a limit depends on it. */
  tier?: string | undefined
  content: string
  metadata: unknown
  media: readonly MediaFile[]
  /** The files that metadata fields name, by field. */
  assets?: Readonly<Record<string, MediaFile>>
}

/** A rule that is not a number: its sentence, and the check of a post whose metadata has been parsed. */
export interface OtherRule {
  says: string
  source: string
  /** The rule scans the text, so it is skipped if the text is far too long. */
  readsText?: true
  /** The rule is about the metadata, so it is skipped for a post without any. */
  readsMetadata?: true
  check(post: CheckedPost & { text: string }): readonly Finding[]
}

/** What a platform accepts, but its author may not have intended. */
export interface PlatformWarning {
  code: 'may_be_rejected' | 'limited_reach' | 'platform_price' | 'still_image'
  field: 'content' | 'mediaUrls'
  message: string
  next: string
}

/** PlatformWarning is looked for in a post that its rules accept. */
export interface WarningRule {
  source: string
  find(post: CheckedPost & { text: string }): readonly PlatformWarning[]
}

export interface PostRules {
  measures: readonly TextMeasure[]
  /** The metadata field whose text replaces the content when it is present. */
  textField?: string
  media: readonly MediaRule[]
  /** The block `metadata.<platform>`; required if the platform cannot publish without it. */
  metadata?: {
    schema: z.ZodMiniType
    required: boolean
    /** The smallest block that is accepted; errors show it. */
    example?: Readonly<Record<string, string>>
    /** Fields of a thread's block that only its first post has. */
    firstOnly?: readonly string[]
    source: string
  }
  /**
   * Metadata fields that name an asset of the workspace, with the rule for its file; `external.thumbMediaAssetId` is a
   * field of an object, `captions.*.mediaAssetId` one of every item of a list.
   */
  assetFields?: Readonly<Record<string, FileRule>>
  hashtags?: { max: number; source: string }
  /** Text may be empty if media is attached, or always. */
  emptyText: 'with media' | 'always' | 'never'
  others?: readonly OtherRule[]
  warnings?: readonly WarningRule[]
}

/** Rules of the first comment under a post. */
export interface CommentRules {
  /** Absent if a comment is a reply post, with the measures of a post and its rules that read the text. */
  measures?: readonly TextMeasure[]
  /** Posts with these metadata values accept no comment; the sentence gives the reason. */
  except?: readonly { when: NonNullable<MediaRule['when']>; says: string }[]
  /** The fields of the metadata of a post that its comment needs as well. */
  keeps?: readonly string[]
  source: string
}

/** The base URLs of a platform: authorization endpoint, token endpoint, and API. */
export interface Hosts {
  auth: string
  token: string
  api: string
}

/** The API of a platform: the version that calls name, and its end. */
export interface PlatformApi {
  /** As sent in calls; null if the API has no versions. */
  version: string | null
  /** The first day, UTC, on which the platform may stop serving it: YYYY-MM-DD. Null if no end is known. */
  endsOn: string | null
  /** The document and its date; or the fact that it is second-hand knowledge, and its source. */
  source: string
  /** What is known about the end, for people. Present if the platform closes the API, which no release can change. */
  closing?: string
}

/** The form that connects accounts: its inputs, and the name of the credential if that is not an app password. */
interface ConnectForm {
  readonly fields: readonly Field[]
  readonly by?: 'secret key'
}

/** A platform as data: enough to validate, to connect, and to document, without the code that publishes. */
export interface PlatformDefinition {
  id: PlatformId
  name: string
  /** The name with the kind of its accounts, if they are not profiles. */
  fullName?: string
  api: PlatformApi
  /** Absent if every account has its own host. */
  hosts?: Hosts
  /**
   * Where its posts are published: host names, including their subdomains; or the name of the detail of an account that has
   * the address of its server.
   */
  postsAt: readonly string[] | 'server' | 'site'
  /** How people connect accounts: by a login at the platform, in a browser, or by a form with these inputs on our pages. */
  connect: 'oauth' | ConnectForm
  /**
   * The input for the server of the account, on platforms where people log in at a server that they name. Each server has
   * its own app.
   */
  server?: Field
  /** The most concurrent publishing calls where functions have reserved concurrency; 20 by default. */
  concurrency?: number
  /** The most posts that one invocation publishes, because it holds their files in memory; 10 by default. */
  publishBatch?: number
  /** The posts of a month are counted, and a plan limits them. */
  hasMonthlyCap?: true
  /** What belongs to a text that a model wrote. */
  generated?: {
    /** What neither texts nor titles may contain; a global expression. */
    forbidden?: RegExp
    maxTitle: number
    /** The metadata that follow from the title and the text. */
    metadata(title: string, content: string): Readonly<Record<string, unknown>>
  }
  rules: PostRules
  /** The rules for an account with these details, on platforms where each server has its own limits. */
  rulesFor?(details: Readonly<Record<string, string | number>>): PostRules
  /** Rules of first comments; absent if the platform has none, or does not accept any through its API. */
  comment?: CommentRules
  /** A post without files is prepared by calls to the platform, too. */
  preparesText?: true
  /** Accounts accept threads: posts that each reply to the previous one. */
  threads?: {
    /** A prepared reply names its live parent, so it cannot be prepared ahead. */
    preparesInTurn?: true
    source: string
  }
}

/** A platform with its own hosts, as its API calls see it. */
export type PlatformSite = Pick<PlatformDefinition, 'id' | 'name' | 'api'> & { hosts: Hosts }
