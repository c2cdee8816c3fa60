/** A stored file as a post refers to it, with its facts when the post was accepted. */
export interface MediaFile {
  id: string
  storageKey: string
  mimeType: string
  fileSize: number
  originalFilename: string
  width?: number | undefined
  height?: number | undefined
  durationMs?: number | undefined
  /** Number of frames of an animated image. */
  frames?: number | undefined
  altText?: string | undefined
}
