import { conditionFailed } from './condition-failed.ts'

export interface Retries {
  /** More than concurrent changes can lose in a row. */
  tries: number
  /** The error after the last try has lost. */
  refusal: () => Error
  /** Whether another writer was faster; by default if a condition failed. */
  isLost?: (error: unknown) => boolean
}

/** Repeats a change on fresh rows while another writer is faster; `isFirst` marks the try on the rows as originally read. */
export const retryOnConflict = async <T>(
  { tries, refusal, isLost = conditionFailed }: Retries,
  change: (isFirst: boolean) => Promise<T>,
): Promise<T> => {
  for (let left = tries; left > 0; left -= 1) {
    try {
      return await change(left === tries)
    } catch (error) {
      if (!isLost(error)) throw error
    }
  }
  throw refusal()
}
