import * as z from 'zod/mini'
import type { PlatformCall, PublishingCalls, UnconfirmedAttempt } from '../adapter.ts'
import { lookBack, pageMs, windowOf } from '../look-back.ts'
import { PlatformError } from '../platform-error.ts'
import type { PublishedPost } from '../post.ts'
import { callWordPress } from './api.ts'

const path = '/wp/v2/comments'

const Made = z.object({ id: z.int(), link: z.nullish(z.string()), status: z._default(z.string(), 'approved') })
const Listed = z.object({ id: z.int(), link: z.nullish(z.string()), date_gmt: z.string() })
const Raw = z.object({ content: z.object({ raw: z.string() }) })
type ReadComment = z.infer<typeof Listed> & { raw: string }

/** How far the clock of a site and ours may be apart. */
const clockSkewMs = 60_000

/** Comments are HTML, in which the line breaks of the text are significant. */
const escaped = (text: string): string =>
  text.replace(/\r\n?/g, '\n').trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const landed = ({ id, link }: Pick<ReadComment, 'id' | 'link'>): PublishedPost => ({
  id: String(id),
  url: link ?? null,
})

/** The number of the user: the id of an account is `7@bakery.example`. */
const userOf = ({ account }: PlatformCall): string => account.externalId.replace(/@.*$/s, '')

const rejected = (error: unknown): unknown =>
  error instanceof PlatformError && error.errorClass === 'invalid'
    ? new PlatformError('invalid', `WordPress rejected the comment: ${error.info.detail}`, error.info)
    : error

/** A list shows comments as HTML. Each one is read in its raw form, which the author of a post may do. */
const readPage = async (call: PlatformCall, page: number, fromMs: number): Promise<ReadComment[]> => {
  const query = { post: call.post.replyTo ?? '', author: userOf(call), per_page: '100', page: String(page) }
  const listed = await callWordPress(call.ctx, call.account, {
    path,
    query: { ...query, orderby: 'date_gmt', order: 'desc', _fields: 'id,link,date_gmt' },
    totalMs: pageMs,
    reply: z.array(Listed),
  })
  const comments: ReadComment[] = []
  for (const comment of listed) {
    const isOlder = atMs(comment) < fromMs
    comments.push({ ...comment, raw: isOlder ? '' : await readRaw(call, comment) })
  }
  return comments
}

const readRaw = async (call: PlatformCall, { id }: { id: number }): Promise<string> => {
  const params = { comment: String(id) }
  const query = { context: 'edit', _fields: 'content' }
  const request = { path: `${path}/{comment}`, params, query, totalMs: pageMs, reply: Raw }
  return (await callWordPress(call.ctx, call.account, request)).content.raw
}

/** Times of a site in UTC have no zone. */
const atMs = ({ date_gmt: date }: Pick<ReadComment, 'date_gmt'>): number => Date.parse(`${date}Z`)

/**
 * A lost comment is searched among those of the user under the post, newest first. WordPress rejects most repeats
 * (`comment_duplicate`), but not those with a backslash (seen at 6.5).
 */
export const commentCalls: PublishingCalls = {
  reconcileMethod: 'probe',
  readLagSeconds: 30,
  findsByContent: () => true,
  async commit({ ctx, account, post }) {
    const made = await callWordPress(ctx, account, {
      method: 'POST',
      path,
      query: { _fields: 'id,link,status' },
      body: { json: { post: Number(post.replyTo), content: escaped(post.text) } },
      creates: true,
      reply: Made,
    }).catch((error: unknown) => {
      throw rejected(error)
    })
    if (made.status === 'approved') return landed(made)
    const text = `WordPress site did not show the comment: its status is "${made.status}". A plugin may hold it for review.`
    throw new PlatformError('blocked', text)
  },
  async probe(call: PlatformCall, attempt: UnconfirmedAttempt) {
    const { fromMs } = windowOf(attempt, clockSkewMs)
    const seen = await lookBack<ReadComment, number>({
      clock: call.ctx.clock,
      fromMs,
      async read(page = 1) {
        const items = await readPage(call, page, fromMs)
        return { items, next: items.length === 0 ? undefined : page + 1 }
      },
      atMs,
      isOurs: ({ raw }) => raw.trim() === escaped(call.post.text),
    })
    return seen.kind === 'found' ? { kind: 'published', ...landed(seen.items[0]) } : seen
  },
}
