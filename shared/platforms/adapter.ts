import type { Context } from '../context.ts'
import type { ConnectedAccount } from './account.ts'
import type { PlatformDefinition } from './definition.ts'
import type { PlatformError } from './platform-error.ts'
import type { OutgoingPost, PublishedPost } from './post.ts'

export interface PlatformCall {
  ctx: Context
  account: ConnectedAccount
  post: OutgoingPost
}

/** What `prepare` stored at the platform: JSON, opaque to the publisher. */
export type PreparedRef = Readonly<Record<string, unknown>>

export type Prepared = { ready: PreparedRef; expiresAtMs: number } | { waitSeconds: number; resume: PreparedRef }

/** The components of an attempt's key. */
export type KeyedPost = Pick<OutgoingPost, 'id' | 'version' | 'scheduledAtMs'> & { replyTo?: string | undefined }

/** An attempt whose outcome is unknown. */
export interface UnconfirmedAttempt {
  clientKey: string
  ref: PreparedRef
  startedAtMs: number
  /** When the first attempt started that was presumed lost, if that was before this one. */
  firstStartedAtMs?: number
  /** The table was restored since: the key may differ from that of the call. */
  isRestored?: true
}

/**
 * What a probe learned about an attempt.
 * - `published`: the post is public.
 * - `absent`: it is not public, according to the platform or to a listing that was read back to before the attempt
 *   (`look-back.ts`).
 * - `unclear`: the platform cannot tell now.
 * - `unprovable`: the platform will never be able to tell.
 * - `rejected`: it did not become public, and the platform says why.
 */
export type ProbeResult =
  | ({ kind: 'published' } & PublishedPost)
  | { kind: 'absent' }
  | { kind: 'unclear' }
  | { kind: 'unprovable' }
  | { kind: 'rejected'; error: PlatformError }

/** How the outcome of a lost response is reconciled (publishing pipeline, rule 13: shared/README.md). */
export type ReconcileMethod = 'key' | 'two-phase' | 'duplicate-refusal' | 'probe' | 'none'

/** The calls that publish a post, or a comment under a post. */
export interface PublishingCalls {
  reconcileMethod: ReconcileMethod
  /**
   * How long after an attempt the identical call creates no second post, in seconds: while the platform remembers its key,
   * or rejects its text as a repeat and names the first post. Until then it is repeated to learn the outcome of the first
   * call. Absent if there is no such time.
   */
  repeatableSeconds?: number
  /** How long after an attempt a probe that finds nothing starts to count: the platform's reads lag behind its writes. */
  readLagSeconds: number
  /**
   * The idempotency key, generated once per attempt and stored before the call. Absent if the platform accepts no key; then
   * `clientKeyOf` names the attempt by post and version.
   */
  makeKey?(post: KeyedPost): string
  /** Uploads and containers; repeatable, publishes nothing. Absent if no preparation is needed. */
  prepare?(call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared>
  /** Everything that can be done before the post's time without a side effect: loads the bytes, builds the request. */
  build?(call: PlatformCall, ref: PreparedRef): Promise<unknown>
  /** The one call that makes the post public; `built` is the result of `build`. */
  commit(call: PlatformCall, ref: PreparedRef, clientKey: string, built: unknown): Promise<PublishedPost>
  /** Whether `probe` finds the post by its content, regardless of its preparation and key. Absent if it never does. */
  findsByContent?(post: OutgoingPost): boolean
  /** Looks for what an attempt has published; an error counts as `unclear` (`posts/publishing/probe.ts`). */
  probe(call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult>
}

/** A platform with the calls that publish. */
export interface PlatformAdapter extends PlatformDefinition, PublishingCalls {
  /**
   * The calls that publish the first comment under a live post of the account, `post.replyTo`. `reply`: the comment is a
   * reply post. Present if the definition has rules for comments.
   */
  commentCalls?: 'reply' | PublishingCalls
  /**
   * Removes a live post by the platform's ID of it. A missing post counts as removed, so that the call can be repeated after
   * a lost response. Present if `live.ts` declares it.
   */
  remove?(call: PlatformCall, platformPostId: string): Promise<void>
  /**
   * Replaces the text and the metadata of a live post with those of `call.post`, by the platform's ID of it. It can be
   * repeated. Present if `live.ts` declares it.
   */
  edit?(call: PlatformCall, platformPostId: string): Promise<void>
}
