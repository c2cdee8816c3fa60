/** A form to convert images to: every image that the service accepts can be converted to it. */
export interface ImageFormat {
  /** The first type is the one to convert to. */
  types: readonly ('image/jpeg' | 'image/png' | 'image/webp' | 'image/gif')[]
  maxBytes: number
  maxWidth?: number
  maxHeight?: number
}
