import * as z from 'zod/mini'
import type { PlatformAdapter, PlatformCall, PreparedRef, ProbeResult, UnconfirmedAttempt } from '../adapter.ts'
import { unclearResponse } from '../http.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { edited, removed } from '../removal.ts'
import { askLinkedIn, callLinkedIn } from './api.ts'
import { commentCalls } from './comments.ts'
import { definition } from './definition.ts'
import { clockSkewMs, postOf, throttled } from './errors.ts'
import { isPage, metadataOf } from './metadata.ts'
import { prepare, toLittleText } from './prepare.ts'

/** Queried after a create, which may have taken most of the half minute. */
const totalMs = 8_000

/** Whether a post exists; `hidden` if the app may not look. */
const readPost = async ({ ctx, account }: PlatformCall, urn: string): Promise<'there' | 'missing' | 'hidden'> => {
  try {
    await callLinkedIn(ctx, { token: tokenOf(account), path: '/rest/posts/{urn}', params: { urn }, totalMs })
    return 'there'
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return error.info.httpStatus === 404 ? 'missing' : 'hidden'
  }
}

const Listed = z.object({
  id: z.string(),
  commentary: z.optional(z.string()),
  createdAt: z.optional(z.number()),
})
const Posts = z.object({ elements: z.array(Listed) })

/** Most posts that LinkedIn lists per request (Posts API, "Find Posts by Authors", 202607). */
const pageSize = 100

/** Looks for a post of a page by its text, among those made since an attempt, newest first. */
const findPost = async (
  { ctx, account }: PlatformCall,
  author: string,
  commentary: string,
  attempt: UnconfirmedAttempt,
): Promise<ProbeResult> => {
  const query = { q: 'author', author, count: String(pageSize), sortBy: 'CREATED' }
  const seen = await lookBack<z.infer<typeof Listed>, number>({
    clock: ctx.clock,
    fromMs: windowOf(attempt, clockSkewMs).fromMs,
    async read(start = 0) {
      const request = { token: tokenOf(account), path: '/rest/posts', totalMs: pageMs, reply: Posts }
      const { elements } = await askLinkedIn(ctx, { ...request, query: { ...query, start: String(start) } })
      // A page may be shorter than requested: only an empty one is the end.
      return { items: elements, next: elements.length === 0 ? undefined : start + elements.length }
    },
    atMs: ({ createdAt = Number.NaN }) => createdAt,
    isOurs: (post) => post.commentary === commentary,
  })
  return seen.kind === 'found' ? { kind: 'published', ...postOf(seen.items[0].id) } : seen
}

const Ready = z.object({ body: z.looseObject({ author: z.string(), commentary: z.string() }), version: z.int() })

/** LinkedIn may name a post that does not exist: then it is no repeat, and may be accepted later. */
const assertThere = async (call: PlatformCall, error: PlatformError): Promise<PlatformError> => {
  const urn = error.info.original?.id
  if (!urn || (await readPost(call, urn)) !== 'missing') return error
  const text = 'LinkedIn rejected the post as a duplicate of a post that no longer exists.'
  return new PlatformError('transient', text, { code: 'DUPLICATE_POST', detail: urn })
}

const refineError = async (call: PlatformCall, error: unknown): Promise<unknown> => {
  const isRepeat = error instanceof PlatformError && error.errorClass === 'duplicate'
  return isRepeat ? assertThere(call, error) : throttled(call, error)
}

/** Creates the post; its URN is in a header. */
const commit = async (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const { body } = z.parse(Ready, ref)
  const json = { ...body, lifecycleState: 'PUBLISHED', isReshareDisabledByAuthor: false }
  const request = { token: tokenOf(call.account), path: '/rest/posts', json, creates: true }
  const { status, headers } = await callLinkedIn(call.ctx, request).catch(async (error: unknown) => {
    throw await refineError(call, error)
  })
  if (status !== 201) throw unclearResponse({ platform: definition, creates: true }, `HTTP ${status}`, status)
  const urn = headers['x-restli-id']
  // The post exists even without the header (LinkedIn, Posts API).
  return urn ? postOf(urn) : { id: null, url: null }
}

/**
 * How long after an attempt LinkedIn certainly rejects the same text by the same author, with `DUPLICATE_POST` and the
 * URN of the first post. LinkedIn documents no duration; rejections an hour later (Arisamiga/Linkedin-RSS#5, 2023-12-14)
 * and a day later (ComposioHQ/composio#2710, 2026-02-22) are on record, and this service relies on ten minutes.
 *
 * Why a repeat never doubles: all repeats of an attempt begin within nine minutes of it and time out after 30 s
 * (`callLinkedIn`). Whichever of these calls lands first, the others arrive within ten minutes of it and are rejected.
 * A repeat is not a new attempt: the nine minutes count from the first call (`shared/posts/publishing/reconcile.ts`).
 */
const repeatableSeconds = 9 * 60

/**
 * The outcome of an attempt that its repeat did not settle. The posts of a page are searched. Apps cannot read a member's
 * posts: once LinkedIn no longer rejects a repeat, or the author has changed the post, nothing can be proven. Decided:
 * the outcome is then reported as unknown immediately, and a later reschedule is the author's consent to send it again.
 */
const probe = async (call: PlatformCall, attempt: UnconfirmedAttempt): Promise<ProbeResult> => {
  const { body, version } = z.parse(Ready, attempt.ref)
  // For members, apps may only write.
  if (isPage(body.author)) return findPost(call, body.author, body.commentary, attempt)
  const ageMs = call.ctx.clock.now() - attempt.startedAtMs
  const mayRepeat = version === call.post.version && ageMs < repeatableSeconds * 1000
  return { kind: mayRepeat ? 'unclear' : 'unprovable' }
}

/** Deletes the post; a repeat also returns 204 (Posts API, Delete Posts). */
const remove = ({ ctx, account }: PlatformCall, urn: string): Promise<void> => {
  const request = { token: tokenOf(account), path: '/rest/posts/{urn}', params: { urn }, method: 'DELETE' } as const
  return removed(callLinkedIn(ctx, request), ({ httpStatus }) => httpStatus === 404)
}

/** Changes the commentary of the post; everything else stays (Posts API, Update Posts). */
const edit = ({ ctx, account, post }: PlatformCall, urn: string): Promise<void> => {
  const commentary = toLittleText(post.text, metadataOf(post.metadata).mentions)
  const json = { patch: { $set: { commentary } } }
  const request = { token: tokenOf(account), path: '/rest/posts/{urn}', params: { urn }, json }
  return edited(
    callLinkedIn(ctx, { ...request, restMethod: 'PARTIAL_UPDATE' }),
    definition.name,
    ({ httpStatus }) => httpStatus === 404,
  )
}

/** LinkedIn: a repeat of the same text is refused with the name of the first post; the posts of a page can be read. */
export const linkedin: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'duplicate-refusal',
  repeatableSeconds,
  readLagSeconds: 120,
  prepare,
  commit,
  findsByContent: ({ media }) => media.length === 0,
  commentCalls,
  remove,
  edit,
  probe,
}
