import * as z from 'zod/mini'
import { unclear } from '../http.ts'
import { tokenOf } from '../oauth.ts'
import {
  type Landed,
  type OutgoingPost,
  type PlatformCall,
  PlatformError,
  type PreparedRef,
  type Settled,
  type UnsettledAttempt,
} from '../platform.ts'
import { callLinkedIn } from './api.ts'
import { card } from './card.ts'
import { landedAs } from './errors.ts'
import { findPost, isPage, readPost } from './read.ts'
import { throttled } from './throttle.ts'

const Ready = z.object({ body: z.looseObject({ author: z.string(), commentary: z.string() }), version: z.int() })

/** LinkedIn knows no key of ours: it refuses the same text again, and names the first post. */
export const makeKey = ({ id, version }: OutgoingPost): string => `${id}:${version}`

/** LinkedIn may name a post that is not there: then it is no repeat, and may be taken later. */
const demandThere = async (call: PlatformCall, error: PlatformError): Promise<PlatformError> => {
  const urn = error.facts.landed?.id
  if (!urn || (await readPost(call, urn)) !== 'missing') return error
  const text = 'LinkedIn takes this for a repeat of a post that is not there.'
  return new PlatformError('transient', text, { code: 'DUPLICATE_POST', detail: urn })
}

const lookCloser = async (call: PlatformCall, error: unknown): Promise<unknown> => {
  const isRepeat = error instanceof PlatformError && error.errorClass === 'duplicate'
  return isRepeat ? demandThere(call, error) : throttled(call, error)
}

/** Creates the post; its URN comes in a header. */
export const commit = async (call: PlatformCall, ref: PreparedRef): Promise<Landed> => {
  const { body } = z.parse(Ready, ref)
  const json = { ...body, lifecycleState: 'PUBLISHED', isReshareDisabledByAuthor: false }
  const request = { token: tokenOf(call.account), path: '/rest/posts', json, creates: true }
  const { status, headers } = await callLinkedIn(call.ctx, request).catch(async (error: unknown) => {
    throw await lookCloser(call, error)
  })
  if (status !== 201) throw unclear({ platform: card, creates: true }, `HTTP ${status}`, status)
  const urn = headers['x-restli-id']
  // It exists all the same (platforms-a, 5.4).
  return urn ? landedAs(urn) : { id: null, url: null }
}

/** Sent again this soon, the same text is certainly refused as a repeat (platforms-a, 5.7). */
const repeatMs = 60_000
/** A page's list of posts lags; later than this it shows what there is. */
const listedMs = 120_000

/**
 * Pages are looked through. What cannot be seen counts as absent as long as a repeat is harmless: LinkedIn refuses it
 * and names the first post. After that, or once the author has changed the post, nobody can tell.
 */
export const probe = async (call: PlatformCall, { ref, armedAtMs }: UnsettledAttempt): Promise<Settled> => {
  const { body, version } = z.parse(Ready, ref)
  const sinceMs = call.ctx.clock.now() - armedAtMs
  if (isPage(body.author)) {
    const urn = await findPost(call, body.author, body.commentary, armedAtMs)
    if (urn !== undefined) return { kind: 'landed', ...landedAs(urn) }
    if (sinceMs >= listedMs) return { kind: 'absent' }
  }
  return sinceMs < repeatMs && version === call.post.version ? { kind: 'absent' } : { kind: 'unclear' }
}
