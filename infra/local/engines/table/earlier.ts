import { indexKeyOf, keyIn, type StoredKey } from './keys.ts'
import { nameOf, type Past } from './past.ts'
import type { IndexSchema } from './schema.ts'
import type { Range, Row, Store, StoredTable, View } from './store.ts'
import { type Item, order } from './value.ts'

/** The position of a row in a read: texts that sort by their bytes, one after another. */
type Position = readonly string[]

const compare = (a: Position, b: Position): number => {
  for (const [at, text] of a.entries()) {
    const by = order(text, b[at] ?? '')
    if (by !== 0) return by
  }
  return 0
}

const isWithin = (sort: string, { from, to }: Range): boolean => {
  const above = from === undefined ? 1 : order(sort, from.at)
  const below = to === undefined ? -1 : order(sort, to.at)
  return (from?.open ? above > 0 : above >= 0) && (to?.open ? below < 0 : below <= 0)
}

/** The tables as they were at a moment: unchanged items as they are now, and changed ones with their earlier content. */
export class Earlier implements View {
  readonly #store: Store
  readonly #past: Past
  readonly #atMs: number

  constructor(store: Store, past: Past, atMs: number) {
    this.#store = store
    this.#past = past
    this.#atMs = atMs
  }

  get(table: StoredTable, key: StoredKey): Row | undefined {
    const state = this.#past.stateOf(table, key, this.#atMs)
    return state ? state.row : this.#store.get(table, key)
  }

  *query(table: StoredTable, index: IndexSchema | undefined, range: Range): Generator<Item> {
    const positionOf = (item: Item): Position => {
      const own = keyIn(table.schema, item)
      return index ? [indexKeyOf(index, item)?.range ?? '', own.hash, own.range] : [own.range]
    }
    const { after, newestFirst } = range
    const sign = newestFirst ? -1 : 1
    const start = after && (index ? [after.indexed?.range ?? '', after.own.hash, after.own.range] : [after.own.range])
    const belongs = (item: Item, position: Position) => {
      const { hash } = (index ? indexKeyOf(index, item) : keyIn(table.schema, item)) ?? {}
      const isBehind = start === undefined || sign * compare(position, start) > 0
      return hash === range.hash && isWithin(position[0] ?? '', range) && isBehind
    }
    const by = (a: Position, b: Position) => sign * compare(a, b)
    yield* this.#merge(table, this.#store.query(table, index, range), positionOf, belongs, by)
  }

  *scan(table: StoredTable, index: IndexSchema | undefined, after: StoredKey | undefined): Generator<Item> {
    const positionOf = (item: Item): Position => {
      const { hash, range } = keyIn(table.schema, item)
      return [hash, range]
    }
    const belongs = (item: Item, position: Position) =>
      (index === undefined || indexKeyOf(index, item) !== undefined) &&
      (after === undefined || compare(position, [after.hash, after.range]) > 0)
    yield* this.#merge(table, this.#store.scan(table, index, after), positionOf, belongs, compare)
  }

  /** The rows of now that did not change, with those of then that belong among them. */
  *#merge(
    table: StoredTable,
    current: Iterable<Item>,
    positionOf: (item: Item) => Position,
    belongs: (item: Item, position: Position) => boolean,
    by: (a: Position, b: Position) => number,
  ): Generator<Item> {
    const states = this.#past.statesOf(table, this.#atMs)
    if (states.size === 0) return yield* current
    const then = [...states.values()]
      .flatMap(({ row }) => (row === undefined ? [] : [{ item: row.item, position: positionOf(row.item) }]))
      .filter(({ item, position }) => belongs(item, position))
      .sort((a, b) => by(a.position, b.position))
    /** Takes those before a position. */
    const takeBefore = (position: Position) => {
      const end = then.findIndex((entry) => by(entry.position, position) > 0)
      return then.splice(0, end < 0 ? then.length : end)
    }
    for (const item of current) {
      if (states.has(nameOf(keyIn(table.schema, item)))) continue
      for (const earlier of takeBefore(positionOf(item))) yield earlier.item
      yield item
    }
    for (const earlier of then) yield earlier.item
  }
}
