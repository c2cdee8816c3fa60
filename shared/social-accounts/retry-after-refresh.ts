import { credentialLifecycleOf } from '../platforms/connectors.ts'
import { PlatformError } from '../platforms/platform-error.ts'
import type { PlatformId } from '../resources.ts'

/**
 * Runs a call with the stored credentials; if the platform rejects the access token, runs it once more with refreshed
 * ones. Safe for the publishing call as well: a 401 never creates a post.
 */
export const retryAfterRefresh = async <T>(platform: PlatformId, run: (refresh: boolean) => Promise<T>): Promise<T> => {
  try {
    return await run(false)
  } catch (error) {
    const isRefreshable = credentialLifecycleOf(platform).refresh !== undefined
    if (!isRefreshable || !(error instanceof PlatformError) || error.errorClass !== 'auth') throw error
    return run(true)
  }
}
