import { type Listing, pageOf } from '../page-of.ts'
import type { Call } from '../standin.ts'
import { refuse } from './refuse.ts'

/** A page of a list by `page_size` and `bookmark`, never more than `most`: a page may be shorter than requested. */
export function onePage<T>(
  listing: Listing,
  { query }: Call,
  all: readonly T[],
  max: number,
): { items: T[]; bookmark: string | null } {
  const size = Number(query.get('page_size') ?? 25)
  if (!Number.isInteger(size) || size < 1 || size > 250) refuse(400, 1, 'page_size must be 1 to 250')
  const from = query.has('bookmark') ? readBookmark(query.get('bookmark') ?? '') : 0
  const { items, next } = pageOf(listing, all, from, Math.min(size, max))
  return { items, bookmark: next === undefined ? null : makeBookmark(next) }
}

const makeBookmark = (offset: number) => Buffer.from(`page|${offset}`).toString('base64url')

function readBookmark(text: string): number {
  const [, offset] = /^page\|(\d+)$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  return offset === undefined ? refuse(400, 1, 'The bookmark is not valid') : Number(offset)
}
