/** The size of an image in pixels. */
export interface Size {
  width: number
  height: number
}

/** An image has no side of zero; a header with one is damaged. */
export const sizeOf = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined
