import { indexKeyOf, keyIn, type StoredKey } from './keys.ts'
import { nameOf, type Past } from './past.ts'
import type { IndexSchema } from './schema.ts'
import type { Range, Row, Store, StoredTable, View } from './store.ts'
import { order } from './value.ts'

/** The position of a row in what is read: texts that sort by their bytes, one after another. */
type Place = readonly string[]

const compare = (a: Place, b: Place): number => {
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

/** The tables as they were at a moment: the items as they are, and in place of those that changed since what they were. */
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

  *query(table: StoredTable, index: IndexSchema | undefined, range: Range): Generator<Row> {
    const placeOf = ({ item }: Row): Place => {
      const own = keyIn(table.schema, item)
      return index ? [indexKeyOf(index, item)?.range ?? '', own.hash, own.range] : [own.range]
    }
    const { after, newestFirst } = range
    const sign = newestFirst ? -1 : 1
    const start = after && (index ? [after.indexed?.range ?? '', after.own.hash, after.own.range] : [after.own.range])
    const belongs = (row: Row, place: Place) => {
      const { hash } = (index ? indexKeyOf(index, row.item) : keyIn(table.schema, row.item)) ?? {}
      const isBehind = start === undefined || sign * compare(place, start) > 0
      return hash === range.hash && isWithin(place[0] ?? '', range) && isBehind
    }
    const by = (a: Place, b: Place) => sign * compare(a, b)
    yield* this.#merge(table, this.#store.query(table, index, range), placeOf, belongs, by)
  }

  *scan(table: StoredTable, index: IndexSchema | undefined, after: StoredKey | undefined): Generator<Row> {
    const placeOf = ({ item }: Row): Place => {
      const { hash, range } = keyIn(table.schema, item)
      return [hash, range]
    }
    const belongs = ({ item }: Row, place: Place) =>
      (index === undefined || indexKeyOf(index, item) !== undefined) &&
      (after === undefined || compare(place, [after.hash, after.range]) > 0)
    yield* this.#merge(table, this.#store.scan(table, index, after), placeOf, belongs, compare)
  }

  /** The rows of now that did not change, with those of then that belong among them. */
  *#merge(
    table: StoredTable,
    current: Iterable<Row>,
    placeOf: (row: Row) => Place,
    belongs: (row: Row, place: Place) => boolean,
    by: (a: Place, b: Place) => number,
  ): Generator<Row> {
    const states = this.#past.statesOf(table, this.#atMs)
    if (states.size === 0) return yield* current
    const then = [...states.values()]
      .flatMap(({ row }) => (row === undefined ? [] : [{ row, place: placeOf(row) }]))
      .filter(({ row, place }) => belongs(row, place))
      .sort((a, b) => by(a.place, b.place))
    /** Takes those before a position. */
    const takeBefore = (place: Place) => {
      const end = then.findIndex((one) => by(one.place, place) > 0)
      return then.splice(0, end < 0 ? then.length : end)
    }
    for (const row of current) {
      if (states.has(nameOf(keyIn(table.schema, row.item)))) continue
      for (const earlier of takeBefore(placeOf(row))) yield earlier.row
      yield row
    }
    for (const earlier of then) yield earlier.row
  }
}
