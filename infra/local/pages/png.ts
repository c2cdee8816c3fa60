import { crc32, deflateSync } from 'node:zlib'

export type Color = readonly [red: number, green: number, blue: number]

/** The color of which `share` is `to`, and the rest `from`. */
export const mix = (from: Color, to: Color, share: number): Color => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

interface Picture {
  width: number
  height: number
  colorAt: (x: number, y: number) => Color
}

/** A picture as a PNG file (W3C REC-png-3). */
export const drawPng = ({ width, height, colorAt }: Picture): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits a channel, red green blue, no interlacing.
  header.set([8, 2, 0, 0, 0], 8)
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0; y < height; y += 1) {
    // Each row begins with its filter, 0 for none.
    for (let x = 0; x < width; x += 1) rows.set(colorAt(x, y).map(Math.round), y * (1 + width * 3) + 1 + x * 3)
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}
