import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { pragmas } from '../pragmas.ts'
import { indexKeyOf, projection, type StoredKey } from './keys.ts'
import type { IndexSchema, TableSchema } from './schema.ts'
import { type Item, itemBytes, memberOf } from './value.ts'

/** A table and its number in the store. */
export interface StoredTable {
  id: number
  schema: TableSchema
}

/** An item, and how many bytes it has. */
export interface Row {
  item: Item
  bytes: number
}

/** The parameters of a read of the tables. */
export interface View {
  get(table: StoredTable, key: StoredKey): Row | undefined
  query(table: StoredTable, index: IndexSchema | undefined, range: Range): Iterable<Item>
  scan(table: StoredTable, index: IndexSchema | undefined, after: StoredKey | undefined): Iterable<Item>
}

/** Called with each item before it changes, and with each deleted table. */
export interface Watcher {
  note(table: StoredTable, key: StoredKey, before: () => Row | undefined): void
  forget(table: StoredTable): void
}

/** The part of a partition that a query reads. */
export interface Range {
  hash: string
  /** Bounds of the sort key, both included where `open` does not name them. */
  from?: { at: string; open: boolean } | undefined
  to?: { at: string; open: boolean } | undefined
  newestFirst: boolean
  after?: { own: StoredKey; indexed?: StoredKey | undefined } | undefined
}

const layout = `
create table if not exists tables (id integer primary key, owner text not null, name text not null, schema text not null,
  unique (owner, name));
create table if not exists items (t integer, h text, r text, item text not null, bytes integer not null, expires integer,
  primary key (t, h, r)) without rowid;
create index if not exists expiring on items (t, expires) where expires is not null;
create table if not exists entries (t integer, i integer, h text, r text, ph text, pr text, view text,
  primary key (t, i, h, r, ph, pr)) without rowid;
create index if not exists entries_of on entries (t, ph, pr);
`

/** The entries of an item. Without the name of its index, SQLite reads all entries of the table by their primary key. */
const ofItem = 'indexed by entries_of where t = ? and ph = ? and pr = ?'

/**
 * Items in SQLite: in memory, or in `table.sqlite` of a folder. A write is in the file when its call returns, and survives
 * the death of the process; a durable one survives a power failure as well (../pragmas.ts).
 */
export class Store implements View {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #tables = new Map<string, readonly StoredTable[]>()
  #watcher: Watcher | undefined

  constructor(folder?: string, isDurable = false) {
    if (folder !== undefined) mkdirSync(folder, { recursive: true })
    this.#db = new DatabaseSync(folder === undefined ? ':memory:' : join(folder, 'table.sqlite'))
    this.#db.exec(pragmas(isDurable))
    this.#db.exec(layout)
    // A file of an earlier release has entries without their view; they read through to the items.
    const columns = this.#db.prepare("select name from pragma_table_info('entries')").all()
    if (columns.every(({ name }) => name !== 'view')) this.#db.exec('alter table entries add column view text')
  }

  close(): void {
    this.#db.close()
  }

  watch(watcher: Watcher): void {
    this.#watcher = watcher
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  /** Runs writes that are made together or not at all. */
  atomically<T>(write: () => T): T {
    this.#prepare('begin immediate').run()
    try {
      const result = write()
      this.#prepare('commit').run()
      return result
    } catch (error) {
      // On a full disk, SQLite rolls the transaction back by itself (sqlite.org/lang_transaction.html).
      if (this.#db.isTransaction) this.#prepare('rollback').run()
      throw error
    }
  }

  /** The tables of a caller, by their names. */
  tables(owner: string): readonly StoredTable[] {
    const known = this.#tables.get(owner)
    if (known !== undefined) return known
    const read = this.#prepare('select id, schema from tables where owner = ? order by name')
      .all(owner)
      .map((row) => ({ id: Number(row['id']), schema: JSON.parse(String(row['schema'])) as TableSchema }))
    this.#tables.set(owner, read)
    return read
  }

  saveTable(owner: string, schema: TableSchema): void {
    this.#tables.delete(owner)
    this.#prepare(
      'insert into tables (owner, name, schema) values (?, ?, ?) on conflict (owner, name) do update set schema = excluded.schema',
    ).run(owner, schema.name, JSON.stringify(schema))
  }

  dropTable(table: StoredTable): void {
    const { id } = table
    this.#watcher?.forget(table)
    this.#tables.clear()
    for (const name of ['items', 'entries']) this.#prepare(`delete from ${name} where t = ?`).run(id)
    this.#prepare('delete from tables where id = ?').run(id)
  }

  sizeOf({ id }: StoredTable): { count: number; bytes: number } {
    const row = this.#prepare('select count(*) as n, coalesce(sum(bytes), 0) as bytes from items where t = ?').get(id)
    return { count: Number(row?.['n']), bytes: Number(row?.['bytes']) }
  }

  get({ id }: StoredTable, { hash, range }: StoredKey): Row | undefined {
    const stored = this.#prepare('select item, bytes from items where t = ? and h = ? and r = ?').get(id, hash, range)
    return stored && { item: JSON.parse(String(stored['item'])) as Item, bytes: Number(stored['bytes']) }
  }

  put(table: StoredTable, key: StoredKey, item: Item): void {
    this.#watcher?.note(table, key, () => this.get(table, key))
    const { id, schema } = table
    const entries = schema.indexes.flatMap((index, at) => {
      const entry = indexKeyOf(index, item)
      if (entry === undefined) return []
      // The part that an index holds is stored with it, unless the index holds everything.
      const view = index.included === undefined ? null : JSON.stringify(projection(schema, index)(item))
      return [[at, entry.hash, entry.range, view] as const]
    })
    this.#prepare(
      'insert into items (t, h, r, item, bytes, expires) values (?, ?, ?, ?, ?, ?) on conflict (t, h, r) do update set item = excluded.item, bytes = excluded.bytes, expires = excluded.expires',
    ).run(id, key.hash, key.range, JSON.stringify(item), itemBytes(item), expiryOf(schema, item))
    if (schema.indexes.length === 0 || this.#isIndexed(id, key, entries)) return
    this.#forget(table, key)
    const insert = this.#prepare('insert into entries (t, i, h, r, view, ph, pr) values (?, ?, ?, ?, ?, ?, ?)')
    for (const entry of entries) insert.run(id, ...entry, key.hash, key.range)
  }

  /** Whether the indexes have an item where and as its new version belongs: most writes change no attribute of an index. */
  #isIndexed(
    id: number,
    { hash, range }: StoredKey,
    entries: readonly (readonly [number, string, string, string | null])[],
  ): boolean {
    const entryRows = this.#prepare(`select i, h, r, view from entries ${ofItem} order by i`).all(id, hash, range)
    return (
      entryRows.length === entries.length &&
      entries.every(([i, h, r, view], at) => {
        const row = entryRows[at]
        return row?.['i'] === i && row['h'] === h && row['r'] === r && row['view'] === view
      })
    )
  }

  remove(table: StoredTable, key: StoredKey): void {
    this.#watcher?.note(table, key, () => this.get(table, key))
    this.#prepare('delete from items where t = ? and h = ? and r = ?').run(table.id, key.hash, key.range)
    this.#forget(table, key)
  }

  #forget({ id, schema }: StoredTable, { hash, range }: StoredKey): void {
    if (schema.indexes.length === 0) return
    this.#prepare(`delete from entries ${ofItem}`).run(id, hash, range)
  }

  /** Whether an index has an item, in any partition, whose sort key is at most this. */
  hasUpTo({ id, schema }: StoredTable, index: string, range: string): boolean {
    const at = schema.indexes.findIndex(({ name }) => name === index)
    return (
      this.#prepare('select 1 from entries where t = ? and i = ? and r <= ? limit 1').get(id, at, range) !== undefined
    )
  }

  /** The items of a partition in the order of their sort key, or what an index holds of them. */
  *query({ id, schema }: StoredTable, index: IndexSchema | undefined, range: Range): Generator<Item> {
    const { hash, from, to, newestFirst, after } = range
    const values: SQLInputValue[] = index ? [id, schema.indexes.indexOf(index), hash] : [id, hash]
    let sql = index
      ? `select coalesce(e.view, (select item from items s where s.t = e.t and s.h = e.ph and s.r = e.pr)) as item
        from entries e where e.t = ? and e.i = ? and e.h = ?`
      : 'select e.item from items e where e.t = ? and e.h = ?'
    for (const [bound, sign] of [
      [from, '>'],
      [to, '<'],
    ] as const) {
      if (bound === undefined) continue
      sql += ` and e.r ${sign}${bound.open ? '' : '='} ?`
      values.push(bound.at)
    }
    if (after !== undefined) {
      const sign = newestFirst ? '<' : '>'
      sql += index ? ` and (e.r, e.ph, e.pr) ${sign} (?, ?, ?)` : ` and e.r ${sign} ?`
      values.push(...(index ? [after.indexed?.range ?? '', after.own.hash, after.own.range] : [after.own.range]))
    }
    const order = newestFirst ? 'desc' : 'asc'
    sql += index ? ` order by e.r ${order}, e.ph ${order}, e.pr ${order}` : ` order by e.r ${order}`
    yield* this.#items(sql, values)
  }

  /** All items of a table, or of an index of it, in storage order. */
  *scan({ id, schema }: StoredTable, index: IndexSchema | undefined, after: StoredKey | undefined): Generator<Item> {
    const within = index
      ? 'and exists (select 1 from entries e where e.t = items.t and e.ph = items.h and e.pr = items.r and e.i = ?)'
      : ''
    const values: SQLInputValue[] = [id, ...(index ? [schema.indexes.indexOf(index)] : [])]
    let sql = `select item from items where t = ? ${within}`
    if (after !== undefined) {
      sql += ' and (h, r) > (?, ?)'
      values.push(after.hash, after.range)
    }
    yield* this.#items(`${sql} order by h, r`, values)
  }

  *#items(sql: string, values: readonly SQLInputValue[]): Generator<Item> {
    for (const { item } of this.#prepare(sql).iterate(...values)) yield JSON.parse(String(item)) as Item
  }

  /** Removes the items that expired before a second; returns their number. */
  expire(table: StoredTable, beforeSeconds: number, max: number): number {
    const rows = this.#prepare('select h, r from items where t = ? and expires < ? limit ?').all(
      table.id,
      beforeSeconds,
      max,
    )
    for (const row of rows) this.remove(table, { hash: String(row['h']), range: String(row['r']) })
    return rows.length
  }
}

/** The second in which an item expires; null if it never does. */
const expiryOf = ({ ttl }: TableSchema, item: Item): number | null => {
  const value = ttl === undefined ? undefined : memberOf(item, ttl)
  if (value === undefined || !('N' in value)) return null
  const seconds = Number(value.N)
  return Number.isSafeInteger(Math.floor(seconds)) ? Math.floor(seconds) : null
}
