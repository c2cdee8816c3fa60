import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'
import { pragmas } from './pragmas.ts'

type Key = string | number

/** Maps in memory whose entries are rows of one file; without a file they are lost with the process. */
export interface StoredRows {
  /**
   * A map of this name as the file has it, in the order in which its keys were first set. Values are JSON. A value is
   * replaced, never mutated: only what was set or deleted is written.
   */
  map<K extends Key, Shape extends z.ZodMiniType>(name: string, shape: Shape): Map<K, z.output<Shape>>
  /**
   * Writes the changes of all maps, together or not at all. When it returns, a killed process loses none of them. Throws the
   * error of the disk; unwritten changes are written with the next ones.
   */
  save(): void
  close(): void
}

/** A map that remembers which of its keys have changed. */
class TrackedMap<K extends Key, V> extends Map<K, V> {
  readonly changed = new Set<K>()
  /** Keys that were removed since the last save, including those that were added again, which are then last. */
  readonly removed = new Set<K>()

  override set(key: K, value: V): this {
    if (!this.has(key)) this.changed.delete(key)
    this.changed.add(key)
    return super.set(key, value)
  }

  override delete(key: K): boolean {
    this.changed.add(key)
    this.removed.add(key)
    return super.delete(key)
  }

  override clear(): void {
    for (const key of [...this.keys()]) this.delete(key)
  }

  /** The file has the contents of the map. */
  saved(): void {
    this.changed.clear()
    this.removed.clear()
  }
}

// The position keeps the order; the key has no type, so that a number comes back as a number.
const layout = `
create table if not exists rows (place integer primary key, map text not null, key not null, value text not null,
  unique (map, key));
`

const open = (file: string, isDurable: boolean): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec(pragmas(isDurable))
  database.exec(layout)
  return database
}

/** Names the file if a file cannot be read. */
const orBroken = <T>(file: string, read: () => T): T => {
  try {
    return read()
  } catch (cause) {
    throw new Error(`The local state in ${file} is corrupt: delete the file to start empty.`, { cause })
  }
}

const storedIn = (file: string, isDurable: boolean): StoredRows => {
  const database = orBroken(file, () => open(file, isDurable))
  const read = database.prepare('select key, value from rows where map = ? order by place')
  const put = database.prepare(
    'insert into rows (map, key, value) values (?, ?, ?) on conflict (map, key) do update set value = excluded.value',
  )
  const remove = database.prepare('delete from rows where map = ? and key = ?')
  const maps = new Map<string, TrackedMap<Key, unknown>>()

  const write = () => {
    for (const [name, map] of maps) {
      for (const key of map.changed) {
        if (map.removed.has(key)) remove.run(name, key)
        if (map.has(key)) put.run(name, key, JSON.stringify(map.get(key)))
      }
    }
  }
  return {
    map<K extends Key, Shape extends z.ZodMiniType>(name: string, shape: Shape) {
      const map = new TrackedMap<K, z.output<Shape>>()
      orBroken(file, () => {
        for (const { key, value } of read.all(name)) map.set(key as K, z.parse(shape, JSON.parse(String(value))))
      })
      map.saved()
      maps.set(name, map)
      return map
    },
    save() {
      if ([...maps.values()].every(({ changed }) => changed.size === 0)) return
      database.exec('begin immediate')
      try {
        write()
        database.exec('commit')
      } catch (error) {
        // On a full disk, SQLite rolls the transaction back by itself (sqlite.org/lang_transaction.html).
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
      for (const map of maps.values()) map.saved()
    },
    close() {
      if (database.isOpen) database.close()
    },
  }
}

const inMemory: StoredRows = { map: () => new Map(), save() {}, close() {} }

/** With `isDurable`, what was saved survives a power failure too. */
export const openRows = (file: string | undefined, isDurable = false): StoredRows =>
  file === undefined ? inMemory : storedIn(file, isDurable)
