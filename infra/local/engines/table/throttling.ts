import { Fault } from '../aws-server.ts'
import type { EngineClock } from '../engine.ts'
import type { Charge } from './charges.ts'
import { arnOf } from './schema.ts'
import type { StoredTable } from './store.ts'

/**
 * What one partition key value takes in a second of the engine's clock, in a table and in each of its indexes (AWS, DynamoDB
 * developer guide, "Best practices for designing and using partition keys effectively": 3,000 read units and 1,000 write
 * units). A request is accepted while its partitions have units left, and may overdraw them; time pays that back. An index
 * without units left throttles writes of its table. Not simulated: burst capacity and adaptive capacity, which make AWS more
 * tolerant; the units of a Scan and of cancelled transactions.
 */
export interface ThrottlingOptions {
  readUnitsPerSecond?: number
  writeUnitsPerSecond?: number
}

type Kind = 'Read' | 'Write'

/** Receives the units that each request consumes, except for scans and canceled transactions. */
export type Spent = (kind: Kind, charge: Charge) => void

/** The units that are left to a partition at a moment. */
interface Level {
  units: number
  atMs: number
}

const messages = {
  table:
    'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
  index:
    'Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is automatically scaling your index so please try again shortly.',
}

/** The refusal of tables on demand (API reference, ThrottlingException, ThrottlingReason and CancellationReason). */
export class Throttled extends Fault {
  readonly members: object
  constructor(kind: Kind, { schema }: StoredTable, { index }: Charge) {
    super('ThrottlingException', index === undefined || kind === 'Read' ? messages.table : messages.index)
    const reason = `${index === undefined ? 'Table' : 'Index'}${kind}KeyRangeThroughputExceeded`
    const resource = index === undefined ? arnOf(schema) : `${arnOf(schema)}/index/${index}`
    this.members = { throttlingReasons: [{ reason, resource }] }
  }
}

/** Counts the units of each partition; without throttling it accepts everything. */
export class Meter {
  readonly #clock: EngineClock
  readonly #perSecond: Readonly<Record<Kind, number>> | undefined
  readonly #spent: Spent | undefined
  readonly #levels = new Map<string, Level>()
  #clearedAtMs = 0

  constructor(clock: EngineClock, options: ThrottlingOptions | undefined, spent?: Spent) {
    this.#clock = clock
    this.#spent = spent
    this.#perSecond = options && {
      Read: options.readUnitsPerSecond ?? 3_000,
      Write: options.writeUnitsPerSecond ?? 1_000,
    }
  }

  /** Spends the units of a request; throws Throttled if a partition has nothing left, and then spends nothing. */
  take(kind: Kind, table: StoredTable, charges: () => readonly Charge[]): void {
    const refusal = this.refusalOf(kind, table, charges)
    if (refusal !== undefined) throw refusal
    this.spend(kind, table, charges)
  }

  /** Why a request is throttled; undefined if it is not. */
  refusalOf(kind: Kind, table: StoredTable, charges: () => readonly Charge[]): Throttled | undefined {
    if (this.#perSecond === undefined) return undefined
    const short = charges().find((charge) => this.#levelOf(kind, table, charge).units <= 0)
    return short && new Throttled(kind, table, short)
  }

  spend(kind: Kind, table: StoredTable, charges: () => readonly Charge[]): void {
    if (this.#perSecond === undefined && this.#spent === undefined) return
    for (const charge of charges()) {
      this.#spent?.(kind, charge)
      if (this.#perSecond !== undefined) this.#levelOf(kind, table, charge).units -= charge.units
    }
  }

  #levelOf(kind: Kind, { id }: StoredTable, { index, hash }: Charge): Level {
    const max = this.#perSecond?.[kind] ?? 0
    const nowMs = this.#clock.now()
    this.#forgetFull(nowMs)
    const name = JSON.stringify([kind, id, index ?? '', hash])
    const known = this.#levels.get(name) ?? { units: max, atMs: nowMs }
    const units = Math.min(max, known.units + (Math.max(0, nowMs - known.atMs) * max) / 1000)
    const level = { units, atMs: nowMs }
    this.#levels.set(name, level)
    return level
  }

  /** Once a second, removes the partitions that have all their units again. */
  #forgetFull(nowMs: number): void {
    if (nowMs - this.#clearedAtMs < 1000) return
    this.#clearedAtMs = nowMs
    for (const [name, { units, atMs }] of this.#levels) if (units > 0 && nowMs - atMs >= 1000) this.#levels.delete(name)
  }
}
