import type { Context } from '../context.ts'
import { unreadableIn } from '../db/entity.ts'
import { equal } from '../db/expression.ts'
import { assertCursorOrOffset, type PageRequest } from '../db/list.ts'
import { queryAll } from '../db/table.ts'
import { cutPage } from '../http/page.ts'
import { collections, collectionsOf, isVisible, viewCollection } from './collection.ts'

/** A page of the collections that a person can see, newest first: they are few, so all of them are read. */
export const listCollections = async (ctx: Context, workspaceId: string, userId: string, page: PageRequest) => {
  assertCursorOrOffset(page)
  const { cursor } = page
  const rows = await queryAll(ctx, { key: equal('PK', collectionsOf(workspaceId)), newestFirst: true })
  const readable = collections.readable(ctx, rows)
  const visible = readable.filter((collection) => isVisible(collection, userId))
  const rest = cursor === undefined ? visible : visible.filter(({ id }) => id < cursor)
  const cut = cutPage(rest, page)
  const last = cut.items.at(-1)
  return {
    ...cut,
    items: cut.items.map(viewCollection),
    total: visible.length,
    ...(cut.hasMore && last ? { nextCursor: last.id } : {}),
    ...unreadableIn(rows, readable),
  }
}
