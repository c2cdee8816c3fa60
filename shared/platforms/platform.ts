import type * as z from 'zod/mini'
import type { Context } from '../context.ts'
import type { PlatformId } from '../resources.ts'

/** How an outward call ended badly, in the words of every adapter; the publisher decides by class, never by platform. */
export type ErrorClass =
  /** The token is dead and a refresh did not help, or has not been tried yet. */
  | 'auth'
  /** A scope, role or account state is missing. */
  | 'permission'
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
  altText?: string | undefined
}

/** A post on its way out. */
export interface OutgoingPost {
  id: string
  version: number
  text: string
  /** The platform's own metadata block, already parsed by its schema; undefined where there is none. */
  metadata: unknown
  media: readonly PostMedia[]
  scheduledAtMs: number
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
}

export type Settled = { kind: 'landed'; id: string; url: string } | { kind: 'absent' } | { kind: 'unclear' }

/** How a lost answer can be settled (reliability, B4). */
export type SettleKind = 'key' | 'two-phase' | 'duplicate-refusal' | 'probe' | 'none'

/** One count of a text against a limit; all of a platform's measures hold together. */
export interface TextMeasure {
  max: number
  unit: string
  count(text: string): number
  /** Source and date of the rule. */
  source: string
}

export interface MediaRule {
  max: number
  types: readonly string[]
  maxBytes: number
  maxTotalBytes?: number
  source: string
}

/** A finding of validation, as the API shows it. */
export interface Issue {
  socialAccountId: string | null
  platform: string
  code: string
  message: string
  next?: string
}

export interface Rules {
  measures: readonly TextMeasure[]
  media: MediaRule
  /** The block `metadata.<platform>`; required where the platform cannot publish without it. */
  metadata?: { schema: z.ZodMiniType; required: boolean }
  /** Text may be empty where media is attached. */
  emptyTextWithMedia: boolean
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
  /** For kind `key`: how long the platform remembers our key, in seconds; absent = for ever. */
  keySeconds?: number
  /** How long after an attempt a negative probe begins to count. */
  settleSeconds: number
  /** The key that makes a repeated call the same call; made once per attempt and journaled before it. */
  makeKey(post: OutgoingPost): string
  /** Repeatable: uploads and containers, nothing public. Absent where there is nothing to prepare. */
  prepare?(call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared>
  /** Everything that can be done before the moment without leaving a trace: bytes loaded, the request built. */
  build?(call: PlatformCall, ref: PreparedRef): Promise<unknown>
  /** The one call that makes the post public; `built` is what `build` gave. */
  commit(call: PlatformCall, ref: PreparedRef, clientKey: string, built: unknown): Promise<{ id: string; url: string }>
  probe(call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled>
  /** When the credentials stop working, in ms; undefined = never by time. */
  credentialsExpireAtMs?(credentials: Credentials): number | undefined
  /** New credentials for old; throws PlatformError `auth` when the connection is lost. */
  refresh?(ctx: Context, account: ConnectedAccount): Promise<Credentials>
}
