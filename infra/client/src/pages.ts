import type { Page } from './options.ts'

interface AnyPage extends Page<unknown> {
  offset?: number
}

/** Where the page after this one begins; undefined after the last one. */
const after = ({ hasMore, nextCursor, items, offset = 0 }: AnyPage, cursor: unknown) => {
  if (!hasMore) return undefined
  if (typeof nextCursor === 'string') return nextCursor === cursor ? undefined : { cursor: nextCursor }
  return items.length === 0 ? undefined : { offset: offset + items.length }
}

/** Every page of a list. A page may be empty and continue, but a list that does not move on ends. */
export async function* pagesOf(
  read: (query: Readonly<Record<string, unknown>>) => Promise<unknown>,
  query: Readonly<Record<string, unknown>>,
): AsyncGenerator<AnyPage, void, undefined> {
  let here: Readonly<Record<string, unknown>> = query
  for (;;) {
    const page = (await read(here)) as AnyPage
    yield page
    const next = after(page, here['cursor'])
    if (next === undefined) return
    // A cursor takes the place of an offset.
    const { cursor: _cursor, offset: _offset, after: _after, ...rest } = here
    here = { ...rest, ...next }
  }
}

/** Every item of a list. */
export async function* itemsOf(pages: AsyncIterable<AnyPage>): AsyncGenerator<unknown, void, undefined> {
  for await (const { items } of pages) yield* items
}
