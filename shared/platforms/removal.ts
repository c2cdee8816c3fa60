import { PlatformError } from './platform-error.ts'

/** Waits for the removal of a live post; one that the platform does not have is removed. */
export const removed = async (
  removal: Promise<unknown>,
  isGone: (info: PlatformError['info']) => boolean,
): Promise<void> => {
  await removal.catch((error: unknown) => {
    if (!(error instanceof PlatformError && isGone(error.info))) throw error
  })
}
