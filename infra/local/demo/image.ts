import { type Color, drawPng, mix } from '../pages/png.ts'

const width = 800
const height = 450

const dusk: Color = [46, 58, 135]
const glow: Color = [255, 138, 101]
const sun: Color = [255, 236, 179]

/** An evening sky with a soft sun low in it. */
const colorAt = (x: number, y: number): Color => {
  const sky = mix(dusk, glow, (y / height) ** 1.4)
  const distance = Math.hypot(x - width * 0.68, y - height * 0.62) / (height * 0.55)
  return mix(sky, sun, Math.max(0, 1 - distance) ** 1.6)
}

interface Image {
  bytes: Buffer
  width: number
  height: number
}

/** A picture to publish, drawn here so that the repository needs none. */
export const drawImage = (): Image => ({ bytes: drawPng({ width, height, colorAt }), width, height })
