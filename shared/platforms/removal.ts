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

/** Waits for the edit of a live post; one that the platform does not have cannot be edited. */
export const edited = async (
  edit: Promise<unknown>,
  platform: string,
  isGone: (info: PlatformError['info']) => boolean,
): Promise<void> => {
  await edit.catch((error: unknown) => {
    if (!(error instanceof PlatformError && isGone(error.info))) throw error
    throw new PlatformError('invalid', `${platform} no longer has the post.`, error.info)
  })
}
