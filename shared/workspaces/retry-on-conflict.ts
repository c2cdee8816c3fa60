import { conditionFailed } from '../db/condition-failed.ts'
import { Refusal } from '../errors/refusal.ts'

/** More attempts than concurrent changes of one workspace can lose in a row. */
const maxTries = 20

/** Repeats a change on fresh rows while another writer wins. */
export const retryOnConflict = async <T>(change: () => Promise<T>): Promise<T> => {
  for (let tries = 1; tries <= maxTries; tries += 1) {
    try {
      return await change()
    } catch (error) {
      if (!conditionFailed(error)) throw error
    }
  }
  throw new Refusal('conflict', 'The workspace changed during the request. Try again.', { code: 'concurrent_update' })
}
