import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { UnreadableRow } from '../errors/unreadable-row.ts'
import { type BatchRows, get, type Item, type Key, keyOf } from './table.ts'

/** The optional field `unreadable` of a page: how many of the items that were read are left out. */
export const unreadableIn = (items: readonly Item[], rows: readonly unknown[]): { unreadable?: number } =>
  items.length === rows.length ? {} : { unreadable: items.length - rows.length }

/** One kind of row: its schema, its key, and the index attributes derived from its fields. */
export interface Entity<Row, KeyParts> {
  /** The attribute `type` of its rows. */
  readonly type: string
  key(parts: KeyParts): Key
  /** The row as stored: fields, key, index attributes, and the type's name. */
  item(row: Row & KeyParts): Item
  /** Throws an UnreadableRow. */
  parse(item: Item): Row
  /** The rows that this release can read, in their order. One line of the log counts the others. */
  readable(ctx: Context, items: readonly Item[]): Row[]
  /** The row from a batch read; undefined if there is none. */
  from(rows: BatchRows, parts: KeyParts): Row | undefined
  get(ctx: Context, parts: KeyParts): Promise<Row | undefined>
}

interface EntitySpec<Row, KeyParts> {
  type: string
  shape: z.ZodMiniType<Row>
  key(parts: KeyParts): Key
  indexes?(row: Row): Readonly<Record<string, string | number | undefined>>
  /** The fields as stored, if they differ; `shape` reads them back. */
  pack?(row: Row): Item
}

export const entity = <Row extends object, KeyParts>(spec: EntitySpec<Row, KeyParts>): Entity<Row, KeyParts> => {
  const parse = (item: Item) => {
    const { success, data, error } = z.safeParse(spec.shape, item)
    if (success) return data
    throw new UnreadableRow(
      `${item['PK']} ${item['SK']} (${spec.type})`,
      error.issues.map(({ path }) => path.join('.')),
    )
  }
  const readable = (ctx: Context, items: readonly Item[]) => {
    const read = items.map((item) => ({ item, ...z.safeParse(spec.shape, item) }))
    const [first, ...others] = read.filter(({ success }) => !success)
    if (first !== undefined) {
      const { PK, SK } = keyOf(first.item)
      ctx.log.warn('rows of a newer release are left out', { type: spec.type, rows: 1 + others.length, PK, SK })
    }
    return read.flatMap(({ success, data }) => (success ? [data] : []))
  }
  const from = (rows: BatchRows, parts: KeyParts) => {
    const item = rows.item(spec.key(parts))
    return item === undefined ? undefined : parse(item)
  }
  return {
    type: spec.type,
    key: spec.key,
    item: (row) => ({ ...(spec.pack?.(row) ?? row), ...spec.key(row), ...spec.indexes?.(row), type: spec.type }),
    parse,
    readable,
    from,
    get: async (ctx, parts) => {
      const item = await get(ctx, spec.key(parts))
      return item === undefined ? undefined : parse(item)
    },
  }
}
