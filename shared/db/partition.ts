import type { Context } from '../context.ts'
import { equal } from './expression.ts'
import { type Item, type Key, keyOf, query } from './table.ts'

const rowsPerPage = 500

/** The rows of a partition, page by page. */
export async function* pagesOf(ctx: Context, PK: string): AsyncGenerator<Item[]> {
  let after: Item | undefined
  do {
    const page = await query(ctx, { key: equal('PK', PK), limit: rowsPerPage, ...(after ? { after } : {}) })
    yield page.items
    after = page.next
  } while (after !== undefined)
}

/** The keys of those rows. */
export async function* keysOf(ctx: Context, PK: string): AsyncGenerator<Key[]> {
  for await (const page of pagesOf(ctx, PK)) yield page.map(keyOf)
}
