import type { StoredKey } from './keys.ts'
import type { StoredTable } from './store.ts'

/**
 * Transactions take time, and hold their items in the meantime (AWS, DynamoDB developer guide, "Amazon DynamoDB
 * Transactions: How it works", "Transaction conflict handling"). A write to an item that a transaction holds is rejected
 * with TransactionConflictException; a transaction that meets such an item is cancelled with the reason TransactionConflict;
 * reads show the earlier item. A batch leaves the item unprocessed: AWS's documentation does not state this, but
 * TransactionConflictException is not among the errors of BatchWriteItem.
 */
export interface ConflictOptions {
  /** Waits as long as a transaction holds its items, before they are written. */
  hold(): Promise<void>
}

/** An item among those of all tables. */
export const lockNameOf = ({ id }: StoredTable, { hash, range }: StoredKey): string => JSON.stringify([id, hash, range])

/** The items that transactions in flight hold. */
export class Holds {
  readonly #hold: ConflictOptions['hold'] | undefined
  readonly #held = new Set<string>()

  constructor(conflicts: ConflictOptions | undefined) {
    this.#hold = conflicts?.hold
  }

  has(table: StoredTable, key: StoredKey): boolean {
    return this.#held.has(lockNameOf(table, key))
  }

  /**
   * Runs `decide`, holds the items for the duration of transactions, and runs `write`; if they take no time, only the
   * latter.
   */
  async during<T>(names: readonly string[], decide: () => void, write: () => T): Promise<T> {
    if (this.#hold === undefined) return write()
    decide()
    for (const name of names) this.#held.add(name)
    try {
      await this.#hold()
    } finally {
      for (const name of names) this.#held.delete(name)
    }
    return write()
  }
}
