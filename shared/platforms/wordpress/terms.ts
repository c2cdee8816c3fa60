import * as z from 'zod/mini'
import type { PlatformCall } from '../adapter.ts'
import { PlatformError } from '../platform-error.ts'
import { callWordPress } from './api.ts'

/** Names of terms are HTML at WordPress. */
const asHtml = (name: string) => name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const Terms = z.array(z.object({ id: z.int(), name: z.string() }))

/** The ID of a category of the site: categories are its structure, so none is created here. */
const categoryId = async ({ ctx, account }: PlatformCall, name: string): Promise<number> => {
  const html = asHtml(name.trim())
  const query = { search: html, per_page: '100', _fields: 'id,name' }
  const similar = await callWordPress(ctx, account, { path: '/wp/v2/categories', query, reply: Terms })
  const category = similar.find((term) => term.name.toLowerCase() === html.toLowerCase())
  if (category !== undefined) return category.id
  throw new PlatformError('invalid', `WordPress site has no category "${name}". Create it there, or leave it out.`)
}

const Made = z.union([
  z.object({ id: z.int() }),
  z.object({ code: z.literal('term_exists'), data: z.object({ term_id: z.int() }) }),
  z.object({ code: z.string(), message: z._default(z.string(), '') }),
])

/** The ID of a tag, which the site gets if it does not have it: then its error has the ID. */
const tagId = async ({ ctx, account }: PlatformCall, name: string): Promise<number> => {
  const request = { method: 'POST', path: '/wp/v2/tags', body: { json: { name: name.trim() } } } as const
  const made = await callWordPress(ctx, account, { ...request, accepts: [400, 403], reply: Made })
  if ('id' in made) return made.id
  if ('data' in made) return made.data.term_id
  const info = { code: made.code, detail: made.message }
  throw new PlatformError('invalid', `WordPress did not make the tag "${name}": ${made.message}`, info)
}

const each = async (names: readonly string[], idOf: (name: string) => Promise<number>): Promise<number[]> => {
  const ids: number[] = []
  for (const name of names) ids.push(await idOf(name))
  return ids
}

/**
 * The IDs of the categories and tags of a post, one call for each name. A post without a category gets the default one of
 * the site when it is published (WordPress source, wp_insert_post, 2026-11-27).
 */
export const termsOf = async (
  call: PlatformCall,
  { categories = [], tags = [] }: { categories?: readonly string[] | undefined; tags?: readonly string[] | undefined },
): Promise<{ categories: number[]; tags: number[] }> => ({
  categories: await each(categories, (name) => categoryId(call, name)),
  tags: await each(tags, (name) => tagId(call, name)),
})
