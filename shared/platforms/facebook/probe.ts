import * as z from 'zod/mini'
import type { PlatformCall, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { callGraph } from '../graph/call.ts'
import { nextPage, Paging } from '../graph/paging.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { tokenOf } from '../oauth.ts'
import { PlatformError } from '../platform-error.ts'
import { addressOf, FeedPost } from './publish.ts'
import { site } from './site.ts'

/** How far Facebook's clock and ours may be apart. */
const clockSkewMs = 60_000
const pageSize = '100'

const Target = z.object({ target: z.optional(z.object({ id: z.optional(z.string()) })) })

const Published = z.object({
  paging: Paging,
  data: z.array(
    z.object({
      id: z.string(),
      from: z.optional(z.object({ id: z.string() })),
      message: z.optional(z.string()),
      created_time: z.string(),
      permalink_url: z.optional(z.string()),
      attachments: z.optional(
        z.object({
          data: z.array(z.extend(Target, { subattachments: z.optional(z.object({ data: z.array(Target) })) })),
        }),
      ),
    }),
  ),
})
type Shown = z.infer<typeof Published>['data'][number]

const photosOf = ({ attachments }: Shown): Set<string | undefined> =>
  new Set(
    attachments?.data.flatMap((one) => [one, ...(one.subattachments?.data ?? [])].map(({ target }) => target?.id)),
  )

/** A photo goes into one post only, so it names it; a text is compared as Facebook keeps it. */
const isOurs = (shown: Shown, { text, photos }: FeedPost): boolean => {
  const there = photosOf(shown)
  return photos.length > 0 ? photos.every((id) => there.has(id)) : (shown.message ?? '').trim() === text.trim()
}

const fields = 'id,from,message,created_time,permalink_url,attachments{target{id},subattachments{target{id}}}'

/**
 * The posts that the page itself has published, newest first: its feed would show those of visitors as well, and needs
 * `pages_read_user_content` (Graph API, Page Feed and Page Published Posts, v25.0).
 */
const search = async ({ ctx, account }: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> => {
  const prepared = z.parse(FeedPost, attempt.ref)
  const { fromMs } = windowOf(attempt, clockSkewMs)
  const query = { fields, since: String(Math.floor(fromMs / 1000)), limit: pageSize }
  const seen = await lookBack<Shown, string>({
    clock: ctx.clock,
    fromMs,
    async read(after) {
      const { data, paging } = await callGraph(ctx, site, {
        token: tokenOf(account),
        path: '/{page}/published_posts',
        params: { page: account.externalId },
        query: after === undefined ? query : { ...query, after },
        totalMs: pageMs,
        reply: Published,
      })
      return { items: data, next: nextPage(paging) }
    },
    atMs: ({ created_time: at }) => Date.parse(at),
    isOurs: (shown) => (shown.from?.id ?? account.externalId) === account.externalId && isOurs(shown, prepared),
  })
  if (seen.kind !== 'found') return seen
  const [ours, ...others] = seen.items
  if (others.length > 0) return { kind: 'published', id: null, url: null }
  return { kind: 'published', id: ours.id, url: addressOf(ours.id, ours.permalink_url) }
}

/** Looks for the post among those that the page has shown since the attempt. */
export const probe = (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> =>
  search(call, attempt).catch((error: unknown) => {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  })
