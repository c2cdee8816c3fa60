import type { MediaFile } from '../../shared/media/media-file.ts'

/** A small picture that every platform takes, but for what a test says of it; there are no bytes behind it. */
export const anyPicture = (more: Partial<MediaFile> = {}): MediaFile => ({
  id: 'm',
  storageKey: 'k',
  mimeType: 'image/png',
  fileSize: 1000,
  originalFilename: 'a.png',
  ...more,
})

/** The same for a film. */
export const anyVideo = (more: Partial<MediaFile> = {}): MediaFile =>
  anyPicture({ mimeType: 'video/mp4', originalFilename: 'a.mp4', ...more })
