/** The size of an image in pixels. */
export interface Size {
  width: number
  height: number
}

/** No image has a side of zero; a header that says so is damaged. */
export const sizeOf = (width: number, height: number): Size | undefined =>
  width > 0 && height > 0 ? { width, height } : undefined
