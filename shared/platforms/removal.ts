import { type ErrorClass, type ErrorInfo, PlatformError } from './platform-error.ts'

/** Waits for the removal of a live post; one that the platform does not have is removed. */
export const removed = async (
  removal: Promise<unknown>,
  isGone: (info: ErrorInfo, errorClass: ErrorClass) => boolean,
): Promise<void> => {
  await removal.catch((error: unknown) => {
    if (!(error instanceof PlatformError && isGone(error.info, error.errorClass))) throw error
  })
}

/** A live post that the platform does not have cannot be edited. */
export const postGone = (platform: string, info: ErrorInfo): PlatformError =>
  new PlatformError('invalid', `${platform} no longer has the post.`, info)

/** Waits for the edit of a live post; one that the platform does not have cannot be edited. */
export const edited = async (
  edit: Promise<unknown>,
  platform: string,
  isGone: (info: ErrorInfo, errorClass: ErrorClass) => boolean,
): Promise<void> => {
  await edit.catch((error: unknown) => {
    if (!(error instanceof PlatformError && isGone(error.info, error.errorClass))) throw error
    throw postGone(platform, error.info)
  })
}
