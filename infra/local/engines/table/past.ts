import type { EngineClock } from '../engine.ts'
import type { StoredKey } from './keys.ts'
import type { Row, StoredTable } from './store.ts'

/** The state of an item until a moment; undefined if it did not exist. */
interface State {
  row: Row | undefined
  untilMs: number
}

export const nameOf = ({ hash, range }: StoredKey): string => JSON.stringify([hash, range])

/** Remembers what items were before their changes, for a bounded time of the engine's clock. */
export class Past {
  readonly #clock: EngineClock
  readonly #keepMs: number
  /** By table, then by the item's name: its states, the earliest first. */
  readonly #tables = new Map<number, Map<string, State[]>>()
  #prunedAtMs: number

  constructor(clock: EngineClock, keepMs: number) {
    this.#clock = clock
    this.#keepMs = keepMs
    this.#prunedAtMs = clock.now()
  }

  /** Records that an item changes now. States between two changes within one millisecond are not visible. */
  note({ id }: StoredTable, key: StoredKey, before: () => Row | undefined): void {
    const untilMs = this.#clock.now()
    this.#prune(untilMs)
    const items = this.#tables.get(id) ?? new Map<string, State[]>()
    this.#tables.set(id, items)
    const states = items.get(nameOf(key)) ?? []
    items.set(nameOf(key), states)
    if (states.at(-1)?.untilMs !== untilMs) states.push({ row: before(), untilMs })
  }

  forget({ id }: StoredTable): void {
    this.#tables.delete(id)
  }

  /** The state of an item at a moment, if it changed since; undefined if it did not. */
  stateOf({ id }: StoredTable, key: StoredKey, atMs: number): State | undefined {
    return stateAt(this.#tables.get(id)?.get(nameOf(key)) ?? [], atMs)
  }

  /** The same for all items of a table that changed since, by their names. */
  statesOf({ id }: StoredTable, atMs: number): ReadonlyMap<string, State> {
    const result = new Map<string, State>()
    for (const [name, states] of this.#tables.get(id) ?? []) {
      const state = stateAt(states, atMs)
      if (state !== undefined) result.set(name, state)
    }
    return result
  }

  #prune(nowMs: number): void {
    if (nowMs - this.#prunedAtMs < this.#keepMs) return
    this.#prunedAtMs = nowMs
    for (const items of this.#tables.values()) {
      for (const [name, states] of items) {
        const remaining = states.filter(({ untilMs }) => untilMs > nowMs - this.#keepMs)
        if (remaining.length > 0) items.set(name, remaining)
        else items.delete(name)
      }
    }
  }
}

const stateAt = (states: readonly State[], atMs: number) => states.find(({ untilMs }) => untilMs > atMs)
