import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { Issue } from '../errors/issue.ts'
import type { PlatformId } from '../resources.ts'

/** How an outward call ended badly, in the words of every adapter; the publisher decides by class, never by platform. */
export type ErrorClass =
  /** The token is dead and a refresh did not help, or has not been tried yet. */
  | 'auth'
  /** The grant lacks a scope or role, or the account itself is closed or suspended. */
  | 'permission'
  /** Refused for this post, or for a while, although the connection is fine: moderation, a restricted or locked account. */
  | 'blocked'
  /** Not before a certain time; does not use up a try. */
  | 'rate'
  /** A cap for hours or days. */
  | 'quota'
  /** The content can never pass. */
  | 'invalid'
  /** Refused as a repeat of recent content. */
  | 'duplicate'
  /** Certainly not created: try again. */
  | 'transient'
  /** The create may or may not have happened: never repeated blindly. */
  | 'unknown'

export interface ErrorFacts {
  httpStatus?: number
  retryAfterSeconds?: number
  /** The platform's own name or number for the error. */
  code?: string
  /** What was prepared is no longer there: prepare again before the next try. */
  preparedGone?: boolean
  /** Something else is in the place of our key: the next try needs another one. */
  keyTaken?: boolean
  /** The earlier post of which this one is a repeat, where the platform names it. */
  landed?: Landed
  /** What the call named, such as a subreddit, is not there at the platform. */
  missing?: boolean
  /** The platform's own words, shortened. */
  detail?: string
  /** The operator's app is at fault, not the account: alarm, and leave the account alone. */
  operator?: boolean
}

/** The only thing an adapter throws on purpose. The message is a sentence for the author of the post. */
export class PlatformError extends Error {
  override name = 'PlatformError'
  readonly errorClass: ErrorClass
  readonly facts: ErrorFacts
  constructor(errorClass: ErrorClass, message: string, facts: ErrorFacts = {}) {
    super(message)
    this.errorClass = errorClass
    this.facts = facts
  }
}

/**
 * Whether a refusal ends the connection of the account, so that its owner must connect it again. Decided: only a revoked
 * or expired grant, a lost role, and a closed or suspended account of one's own do.
 */
export const endsConnection = ({ errorClass, facts }: PlatformError): boolean =>
  (errorClass === 'auth' || errorClass === 'permission') && !facts.operator

/** One file of a post, as it was when the post was accepted. */
export interface PostMedia {
  id: string
  storageKey: string
  mimeType: string
  fileSize: number
  originalFilename: string
  width?: number | undefined
  height?: number | undefined
  durationMs?: number | undefined
  /** Only of a moving picture. */
  frames?: number | undefined
  altText?: string | undefined
}

/** A post on its way out. */
export interface OutgoingPost {
  id: string
  version: number
  /** The platform's text: that of its metadata block where it has one, else the content. */
  text: string
  /** The platform's own metadata block, already parsed by its schema; undefined where there is none. */
  metadata: unknown
  /** The files as the platform takes them: those it would refuse are converted already. */
  media: readonly PostMedia[]
  /** The files that metadata fields name (`Rules.assetFields`), by field. */
  assets: Readonly<Record<string, PostMedia>>
  scheduledAtMs: number
  /** The platform's id of the post that this one answers: the tweet before it in a thread. */
  replyTo?: string
}

/** Opened credentials of an account; each platform knows its own members. */
export type Credentials = Readonly<Record<string, string | number>>

/** The account a call speaks for. */
export interface ConnectedAccount {
  id: string
  workspaceId: string
  /** The platform's own id of it: a DID, a guild id. */
  externalId: string
  username: string | null
  credentials: Credentials
  /** Non-secret facts kept at connect, for example the account's server. */
  details: Readonly<Record<string, string | number>>
}

export interface PlatformCall {
  ctx: Context
  account: ConnectedAccount
  post: OutgoingPost
}

/** What `prepare` left at the platform; JSON, opaque to the publisher. */
export type PreparedRef = Readonly<Record<string, unknown>>

export type Prepared = { ready: PreparedRef; expiresAtMs: number } | { waitSeconds: number; resume: PreparedRef }

/** An attempt whose outcome is not known. */
export interface UnsettledAttempt {
  clientKey: string
  ref: PreparedRef
  armedAtMs: number
  /** When the first attempt was made that was only taken for lost, where that was before this one. */
  sinceMs?: number
}

/** A post that is public; some platforms do not tell its id or address in every case. */
export interface Landed {
  id: string | null
  url: string | null
}

/**
 * `absent`: it is not public, by the platform's own word or by a listing that was read back to before the attempt
 * (`look-back.ts`). `unclear`: nobody can tell now. `unprovable`: nobody will ever be able to tell. `refused`: it
 * certainly did not become public, and the platform says why.
 */
export type Settled =
  | ({ kind: 'landed' } & Landed)
  | { kind: 'absent' }
  | { kind: 'unclear' }
  | { kind: 'unprovable' }
  | { kind: 'refused'; error: PlatformError }

/** How a lost answer can be settled (reliability, B4). */
export type SettleKind = 'key' | 'two-phase' | 'duplicate-refusal' | 'probe' | 'none'

/** One count of a text against a limit; all measures that are for an account hold together. */
export interface TextMeasure {
  max: number
  unit: 'characters' | 'bytes'
  /** What counts as one, for readers of the docs: `graphemes`, `UTF-16 code units`. */
  counting: string
  count(text: string): number
  /** For accounts of this tier alone, in place of the measures without one. */
  tier?: string
  /** Source and date of the rule. */
  source: string
}

/** What holds for each file of a kind. */
export interface FileRule {
  /** Most of this kind in one post. */
  max: number
  types: readonly string[]
  maxBytes: number
  minWidth?: number
  maxWidth?: number
  minHeight?: number
  maxHeight?: number
  maxPixels?: number
  /** Width through height. */
  minAspect?: number
  maxAspect?: number
  minDurationMs?: number
  maxDurationMs?: number
  /** Of a moving picture. */
  maxFrames?: number
  /** All frames of a moving picture together. */
  maxMovingPixels?: number
  /** What an image becomes shortly before it is sent, where it is larger or of another type than this. */
  sent?: SentImage
}

/** How a platform itself wants an image; every upload that the rule lets pass can be made so. */
export interface SentImage {
  /** The first is the one to convert to. */
  types: readonly ('image/jpeg' | 'image/png' | 'image/webp' | 'image/gif')[]
  maxBytes: number
  maxWidth?: number
  maxHeight?: number
}

/** The media of a post; an animated GIF counts as an image where there is no rule of its own for it. */
export interface MediaRule {
  /** The values of metadata fields it is for; the first rule that matches holds, one without `when` always does. */
  when?: Readonly<Record<string, readonly string[]>>
  /** For accounts of this tier alone; it stands before the rule of all others. */
  tier?: string
  min: number
  max: number
  image?: FileRule
  gif?: FileRule
  video?: FileRule
  /** Files of different kinds may stand side by side. */
  mixed: boolean
  maxTotalBytes?: number
  source: string
}

/** A finding without the account and platform it is about. */
export type Finding = Required<Pick<Issue, 'code' | 'message' | 'next'>> & Pick<Issue, 'field'>

/** One account's share of a post, as it is validated. */
export interface CheckedPost {
  socialAccountId: string
  /** The account's tier at its platform, where that changes a limit. */
  tier?: string | undefined
  content: string
  metadata: unknown
  media: readonly PostMedia[]
  /** The files that metadata fields name, by field. */
  assets?: Readonly<Record<string, PostMedia>>
}

/** A rule that is no number: what it says, and the check of a post whose metadata has been parsed. */
export interface OtherRule {
  says: string
  source: string
  /** It scans the text: it is left out where the text is far too long. */
  readsText?: true
  check(post: CheckedPost & { text: string }): readonly Finding[]
}

export interface Rules {
  measures: readonly TextMeasure[]
  /** The metadata field that is the platform's text when it is there, in place of the content. */
  textField?: string
  media: readonly MediaRule[]
  /** The block `metadata.<platform>`; required where the platform cannot publish without it. */
  metadata?: { schema: z.ZodMiniType; required: boolean; source: string }
  /** Metadata fields that name an asset of the workspace, with the rule for its file. */
  assetFields?: Readonly<Record<string, FileRule>>
  hashtags?: { max: number; source: string }
  /** Text may be empty where media is attached, or always. */
  emptyText: 'with media' | 'always' | 'never'
  others?: readonly OtherRule[]
}

/** What the API needs to know of a platform: enough to validate, nothing that publishes. */
export interface PlatformCard {
  id: PlatformId
  name: string
  rules: Rules
}

/** A platform: its card, and the few calls that publish. */
export interface Platform extends PlatformCard {
  kind: SettleKind
  /**
   * How long after an attempt the very same call makes no second post, in seconds: as long as the platform remembers
   * its key, or refuses its text as a repeat and names the first post. Until then it is sent again to learn what became
   * of the first one. Absent where there is no such time.
   */
  repeatableSeconds?: number
  /** How long after an attempt a negative probe begins to count. */
  settleSeconds: number
  /** The key that makes a repeated call the same call; made once per attempt and journaled before it. */
  makeKey(post: OutgoingPost): string
  /** Repeatable: uploads and containers, nothing public. Absent where there is nothing to prepare. */
  prepare?(call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared>
  /** Everything that can be done before the moment without leaving a trace: bytes loaded, the request built. */
  build?(call: PlatformCall, ref: PreparedRef): Promise<unknown>
  /** The one call that makes the post public; `built` is what `build` gave. */
  commit(call: PlatformCall, ref: PreparedRef, clientKey: string, built: unknown): Promise<Landed>
  probe(call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled>
}
