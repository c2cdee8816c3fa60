import type { Item } from './key.ts'

/** A conditional write that was not carried out, because its condition did not hold. */
export class ConditionFailed extends Error {
  override name = 'ConditionFailed'
  /** The current row of a failed update; undefined if there is none. */
  readonly row: Item | undefined
  constructor(row?: Item) {
    super('the condition did not hold')
    this.row = row
  }
}

const failed = 'ConditionalCheckFailed'

/** A cancelled transaction; `codes` has one code per write, `names` the names that the writes were given (`as`). */
export class TransactionFailed extends Error {
  override name = 'TransactionFailed'
  readonly codes: readonly string[]
  readonly names: readonly (string | undefined)[]
  constructor(codes: readonly string[], names: readonly (string | undefined)[] = []) {
    super(`transaction cancelled: ${codes.join(', ')}`)
    this.codes = codes
    this.names = names
  }
}

/** Whether a write failed on its condition; with a name, whether that write of a transaction did. */
export const conditionFailed = (error: unknown, name?: string): boolean => {
  if (error instanceof ConditionFailed) return name === undefined
  if (!(error instanceof TransactionFailed)) return false
  return error.codes.some((code, at) => code === failed && (name === undefined || error.names[at] === name))
}

/** The same, if the conditions of all other writes held. */
export const onlyConditionFailed = (error: unknown, name: string): boolean =>
  error instanceof TransactionFailed &&
  error.codes.every((code, at) => (code === failed) === (error.names[at] === name)) &&
  error.codes.includes(failed)

/** The result of a conditional write; undefined if its condition did not hold because another writer was first. */
export const ifCurrent = async <T>(write: Promise<T>): Promise<T | undefined> => {
  try {
    return await write
  } catch (error) {
    if (conditionFailed(error)) return undefined
    throw error
  }
}

/** Whether a conditional write was carried out; false if its condition did not hold. */
export const wasCurrent = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write
    return true
  } catch (error) {
    if (conditionFailed(error)) return false
    throw error
  }
}

/** The result of a conditional write; throws the refusal if its condition (of the named write) did not hold. */
export const currentOrThrow = async <T>(write: Promise<T>, refusal: () => Error, name?: string): Promise<T> => {
  try {
    return await write
  } catch (error) {
    throw conditionFailed(error, name) ? refusal() : error
  }
}
