import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { type BatchRows, get, type Item, type Key } from './table.ts'

/** One kind of row: its schema, its key, and the index attributes derived from its fields. */
export interface Entity<Row, KeyParts> {
  key(parts: KeyParts): Key
  /** The row as stored: fields, key, index attributes, and the type's name. */
  item(row: Row & KeyParts): Item
  parse(item: Item): Row
  /** The row from a batch read; undefined if there is none. */
  from(found: BatchRows, parts: KeyParts): Row | undefined
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
  const parse = (item: Item) => z.parse(spec.shape, item)
  const from = (found: BatchRows, parts: KeyParts) => {
    const item = found.item(spec.key(parts))
    return item === undefined ? undefined : parse(item)
  }
  return {
    key: spec.key,
    item: (row) => ({ ...(spec.pack?.(row) ?? row), ...spec.key(row), ...spec.indexes?.(row), type: spec.type }),
    parse,
    from,
    get: async (ctx, parts) => {
      const item = await get(ctx, spec.key(parts))
      return item === undefined ? undefined : parse(item)
    },
  }
}
