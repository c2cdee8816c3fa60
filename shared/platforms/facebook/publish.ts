import * as z from 'zod/mini'
import type { MediaFile } from '../../media/media-file.ts'
import { hourMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef } from '../adapter.ts'
import { callGraph } from '../graph/call.ts'
import { linksIn } from '../graph/links.ts'
import { mediaAddress } from '../media-address.ts'
import { tokenOf } from '../oauth.ts'
import type { PublishedPost } from '../post.ts'
import { site } from './site.ts'

/** What a post is made of: also what a probe looks for, whatever the post has become since. */
export const FeedPost = z.object({ text: z.string(), photos: z.array(z.string()) })
export type FeedPost = z.infer<typeof FeedPost>

/** Photos that no post shows are removed after about a day (Graph API, Page Photos). */
const preparedMs = 20 * hourMs
const createMs = 25_000

const uploadPhoto = async ({ ctx, account }: PlatformCall, file: MediaFile): Promise<string> => {
  const alt = file.altText ? { alt_text_custom: file.altText } : {}
  const form = { url: mediaAddress(ctx, file), published: 'false', ...alt }
  const params = { page: account.externalId }
  const reply = z.object({ id: z.string() })
  return (await callGraph(ctx, site, { token: tokenOf(account), path: '/{page}/photos', params, form, reply })).id
}

/** Uploads the photos unpublished. */
export const prepare = async (call: PlatformCall): Promise<Prepared> => {
  const { ctx, post } = call
  const photos = await Promise.all(post.media.map((file) => uploadPhoto(call, file)))
  const ready: FeedPost = { text: post.text, photos }
  return { ready, expiresAtMs: ctx.clock.now() + preparedMs }
}

/** A link and photos cannot stand side by side: with photos the link stays in the text. */
const attachments = ({ text, photos }: FeedPost): Record<string, string> => {
  const [link] = linksIn(text)
  if (photos.length === 0) return link === undefined ? {} : { link }
  return Object.fromEntries(photos.map((id, n) => [`attached_media[${n}]`, JSON.stringify({ media_fbid: id })]))
}

/** Where a post is, also where Facebook does not say. */
export const addressOf = (id: string, permalink: string | undefined): string =>
  permalink ?? `https://www.facebook.com/${id}`

/** Posts to the page's feed, by one call for every kind of post. */
export const commit = async ({ ctx, account }: PlatformCall, ref: PreparedRef): Promise<PublishedPost> => {
  const prepared = z.parse(FeedPost, ref)
  const message = prepared.text === '' ? {} : { message: prepared.text }
  const { id, permalink_url: permalink } = await callGraph(ctx, site, {
    token: tokenOf(account),
    path: '/{page}/feed',
    params: { page: account.externalId },
    query: { fields: 'id,permalink_url' },
    form: { ...message, ...attachments(prepared) },
    creates: true,
    totalMs: createMs,
    reply: z.object({ id: z.string(), permalink_url: z.optional(z.string()) }),
  })
  return { id, url: addressOf(id, permalink) }
}
