import { crc32, deflateSync } from 'node:zlib'

const width = 800
const height = 450

type Color = readonly [red: number, green: number, blue: number]

const dusk: Color = [46, 58, 135]
const glow: Color = [255, 138, 101]
const sun: Color = [255, 236, 179]

const mix = (from: Color, to: Color, share: number): Color => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
]

/** An evening sky with a soft sun low in it. */
const colorAt = (x: number, y: number): Color => {
  const sky = mix(dusk, glow, (y / height) ** 1.4)
  const distance = Math.hypot(x - width * 0.68, y - height * 0.62) / (height * 0.55)
  return mix(sky, sun, Math.max(0, 1 - distance) ** 1.6)
}

const chunk = (type: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

interface Image {
  bytes: Buffer
  width: number
  height: number
}

/** A picture to publish, drawn here so that the repository needs none (PNG: W3C REC-png-3). */
export const drawImage = (): Image => {
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
  return { bytes: Buffer.concat([signature, ...parts]), width, height }
}
