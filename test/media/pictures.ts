import sharp, { type Sharp } from 'sharp'

/** An image of noise, which no format makes small, with a channel for transparency where it is wanted. */
export const noise = (width: number, height: number, sigma = 60): Sharp =>
  sharp({
    create: { width, height, channels: 3, background: '#000000', noise: { type: 'gaussian', mean: 128, sigma } },
  })

/** A picture whose left half is red and whose right half is blue. */
export const halves = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    { input: { create: { width: width / 2, height, channels: 3, background: '#0000ff' } }, left: width / 2, top: 0 },
  ])

/** Metadata that cameras write: the author, the location, and the orientation of a picture. */
export const withExif = (image: Sharp, orientation = 1): Sharp =>
  image.withMetadata({
    orientation,
    exif: {
      IFD0: { Make: 'Lens & Sons', Copyright: 'Ann Author' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' },
    },
  })

/** A GIF of two frames: a red one, then a blue one. */
export const film = async (width: number, height: number): Promise<Buffer> => {
  const frame = (background: string) =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer()
  const frames = await Promise.all([frame('#ff0000'), frame('#0000ff')])
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}

/** The color of a pixel, as red, green and blue. */
export const colorAt = async (bytes: Uint8Array, x: number, y: number): Promise<number[]> => {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return [...data.subarray(at, at + 3)]
}
