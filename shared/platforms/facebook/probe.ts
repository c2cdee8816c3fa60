import * as z from 'zod/mini'
import { callGraph } from '../graph/call.ts'
import { tokenOf } from '../oauth.ts'
import { type PlatformCall, PlatformError, type Settled, type UnsettledAttempt } from '../platform.ts'
import { addressOf, FeedPost } from './publish.ts'
import { site } from './site.ts'

/** How far Facebook's clock and ours may be apart. */
const slackSeconds = 60
const pageSize = 100

const Target = z.object({ target: z.optional(z.object({ id: z.optional(z.string()) })) })

const Feed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
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
type Shown = z.infer<typeof Feed>['data'][number]

const photosOf = ({ attachments }: Shown): Set<string | undefined> =>
  new Set(
    attachments?.data.flatMap((one) => [one, ...(one.subattachments?.data ?? [])].map(({ target }) => target?.id)),
  )

/** A photo goes into one post only, so it names it; a text is compared as Facebook keeps it. */
const isOurs = (shown: Shown, { text, photos }: FeedPost): boolean => {
  const there = photosOf(shown)
  return photos.length > 0 ? photos.every((id) => there.has(id)) : (shown.message ?? '').trim() === text.trim()
}

const search = async ({ ctx, account }: PlatformCall, { ref, armedAtMs }: UnsettledAttempt): Promise<Settled> => {
  const prepared = z.parse(FeedPost, ref)
  const since = Math.floor(armedAtMs / 1000) - slackSeconds
  const fields = 'id,message,created_time,permalink_url,attachments{target{id},subattachments{target{id}}}'
  const { data } = await callGraph(ctx, site, {
    token: tokenOf(account),
    path: '/{page}/feed',
    params: { page: account.externalId },
    query: { fields, since: String(since), limit: String(pageSize) },
    reply: Feed,
  })
  const late = data.filter(({ created_time: at }) => Date.parse(at) >= since * 1000)
  const [ours, ...others] = late.filter((shown) => isOurs(shown, prepared))
  if (ours && others.length > 0) return { kind: 'landed', id: null, url: null }
  if (ours) return { kind: 'landed', id: ours.id, url: addressOf(ours.id, ours.permalink_url) }
  return { kind: data.length < pageSize ? 'absent' : 'unclear' }
}

/** Looks for the post among those that the page has shown since the attempt. */
export const probe = (call: PlatformCall, attempt: UnsettledAttempt): Promise<Settled> =>
  search(call, attempt).catch((error: unknown) => {
    if (error instanceof PlatformError) return { kind: 'unclear' }
    throw error
  })
