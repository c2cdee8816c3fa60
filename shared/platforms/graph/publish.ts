import * as z from 'zod/mini'
import type { PlatformCall, PreparedRef, ProbeResult, UnconfirmedAttempt } from '../adapter.ts'
import { lookBack, type Seen } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { classified, commonErrors, PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { callGraph, nextPage, Paging } from './call.ts'
import { askContainer, type Containers, ReadyContainer } from './containers.ts'

/** How the containers of a platform become posts, and how posts are found again. */
export interface Publishing extends Containers {
  publishPath: string
  /** Where the account's latest posts are listed, depending on the preparation. */
  listPath(ref: PreparedRef): string
  /** The field that holds a post's text. */
  textField: string
}

/** The call and the reads after it end within the half minute that a publication has. */
const createMs = 18_000
const readMs = 4_000
/** How far Meta's clock and ours may be apart. */
const clockSkewMs = 5_000
const latest = '25'
/** The address may be queried within a publication, which reads fewer posts than a probe. */
const pagesWithinPublication = 4

const idOnly = z.object({ id: z.string() })

const readAddress = async (kind: Publishing, { ctx, account }: PlatformCall, media: string): Promise<string | null> => {
  const request = { token: tokenOf(account), path: '/{media}', params: { media }, query: { fields: 'permalink' } }
  const reply = z.object({ permalink: z.string() })
  try {
    return (await callGraph(ctx, kind.site, { ...request, totalMs: readMs, reply })).permalink
  } catch (error) {
    // The post is live, whatever the result of this read.
    if (error instanceof PlatformError) return null
    throw error
  }
}

const Listed = z.looseObject({ id: z.string(), timestamp: z.string(), permalink: z.optional(z.string()) })
const List = z.object({ data: z.array(Listed), paging: Paging })
const Ref = z.looseObject({ sinceMs: z.number(), text: z.string() })

/** The posts with the text of a container since then. */
const search = (
  kind: Publishing,
  { ctx, account }: PlatformCall,
  ref: PreparedRef,
  pages: { maxPages?: number },
): Promise<Seen<z.infer<typeof Listed>>> => {
  const { sinceMs, text } = z.parse(Ref, ref)
  const query = { fields: `id,${kind.textField},permalink,timestamp`, limit: latest }
  return lookBack<z.infer<typeof Listed>, string>({
    clock: ctx.clock,
    fromMs: sinceMs - clockSkewMs,
    ...pages,
    async read(after) {
      const { data, paging } = await callGraph(ctx, kind.site, {
        token: tokenOf(account),
        path: kind.listPath(ref),
        params: { user: account.externalId },
        query: after === undefined ? query : { ...query, after },
        totalMs: readMs,
        reply: List,
      })
      return { items: data, next: nextPage(paging) }
    },
    atMs: ({ timestamp }) => Date.parse(timestamp),
    isOurs: (post) => String(post[kind.textField] ?? '').trim() === text.trim(),
  })
}

/** The post of a published container: the only one with this text since then. */
const find = async (
  kind: Publishing,
  call: PlatformCall,
  ref: PreparedRef,
  pages: { maxPages?: number },
): Promise<PublishedPost> => {
  const seen = await search(kind, call, ref, pages)
  if (seen.kind !== 'found' || seen.items.length > 1) return { id: null, url: null }
  const [{ id, permalink: url = null }] = seen.items
  return { id, url }
}

const findOrNot = (
  kind: Publishing,
  call: PlatformCall,
  ref: PreparedRef,
  pages: { maxPages?: number } = {},
): Promise<PublishedPost> =>
  find(kind, call, ref, pages).catch((error: unknown) => {
    if (error instanceof PlatformError) return { id: null, url: null }
    throw error
  })

const unsaid = (kind: Publishing, { info }: PlatformError) =>
  classified(kind.site.platform.name, commonErrors.mayBeLive, info)

const keeping = ({ errorClass, message, info }: PlatformError) =>
  new PlatformError(errorClass, message, { ...info, preparedUnseen: true })

/**
 * The real meaning of an error, by the status of the container. A published container was published by an earlier call, or
 * by this one, which Meta sometimes rejects with a limit and still carries out (Graph API, Rate Limiting).
 */
const refineError = async (kind: Publishing, call: PlatformCall, ref: PreparedRef, refusal: PlatformError) => {
  const { container } = z.parse(ReadyContainer, ref)
  const limits = refusal.errorClass === 'rate' || refusal.errorClass === 'quota'
  const seen = await askContainer(kind, call, container, readMs).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined
    throw error
  })
  const isOpen = limits || refusal.errorClass === 'transient'
  if (seen?.state === 'UNSEEN') throw isOpen ? unsaid(kind, refusal) : refusal
  if (seen === undefined) throw limits ? unsaid(kind, refusal) : keeping(refusal)
  if (seen.state === 'PUBLISHED') return findOrNot(kind, call, ref, { maxPages: pagesWithinPublication })
  if (seen.state === 'ERROR' || seen.state === 'EXPIRED') {
    const text = `${kind.site.platform.name} dropped the prepared post.`
    throw new PlatformError('transient', text, { ...refusal.info, preparedGone: true })
  }
  throw refusal
}

/** Publishes a container with one call, and queries the post's address. */
export const publishContainer = async (
  kind: Publishing,
  call: PlatformCall,
  ref: PreparedRef,
): Promise<PublishedPost> => {
  const { ctx, account } = call
  const { container } = z.parse(ReadyContainer, ref)
  try {
    const { id } = await callGraph(ctx, kind.site, {
      token: tokenOf(account),
      path: kind.publishPath,
      params: { user: account.externalId },
      form: { creation_id: container },
      creates: true,
      totalMs: createMs,
      reply: idOnly,
    })
    return { id, url: await readAddress(kind, call, id) }
  } catch (error) {
    if (!(error instanceof PlatformError) || ['auth', 'permission', 'unknown'].includes(error.errorClass)) throw error
    return refineError(kind, call, ref, error)
  }
}

/**
 * The container shows whether it was published; the latest posts show its ID, and whether it was published if the container
 * is not shown.
 */
export const probeContainer = async (
  kind: Publishing,
  call: PlatformCall,
  { ref }: UnconfirmedAttempt,
): Promise<ProbeResult> => {
  const { container, text } = z.parse(z.extend(ReadyContainer, { text: z.string() }), ref)
  const { state } = await askContainer(kind, call, container)
  if (state === 'UNSEEN') {
    // Without a text, any post of the account may be this one.
    const seen = text.trim() === '' ? { kind: 'unclear' as const } : await search(kind, call, ref, {})
    return seen.kind === 'found' ? { kind: 'published', ...(await findOrNot(kind, call, ref)) } : seen
  }
  if (state === 'PUBLISHED') return { kind: 'published', ...(await findOrNot(kind, call, ref)) }
  return { kind: state === 'IN_PROGRESS' ? 'unclear' : 'absent' }
}
