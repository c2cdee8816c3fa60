import { createHash } from 'node:crypto'
import { type Color, drawPng, mix } from '../pages/png.ts'
import type { SimulatorContext } from './standin.ts'

const prefix = '/face/'
const size = 128

const white: Color = [255, 255, 255]
const night: Color = [20, 24, 40]

/** Each ID has other colors. */
const colorsOf = (id: string): readonly [Color, Color] => {
  const [red = 0, green = 0, blue = 0] = createHash('sha256').update(id).digest()
  const own: Color = [red, green, blue]
  return [mix(own, night, 0.35), mix(own, white, 0.6)]
}

/** The address of the picture of a person, a page, or a server. */
export const faceUrl = ({ url }: Pick<SimulatorContext, 'url'>, name: string): string => `${url}${prefix}${name}`

/** The picture at the address of a person: a head and shoulders. Undefined for any other path. */
export const faceAt = (path: string): Buffer | undefined => {
  if (!path.startsWith(prefix)) return undefined
  const [ground, person] = colorsOf(path.slice(prefix.length).split(/[._]/)[0] ?? '')
  const isPerson = (x: number, y: number) => Math.hypot(x - 64, y - 50) < 24 || Math.hypot((x - 64) / 1.1, y - 128) < 44
  return drawPng({ width: size, height: size, colorAt: (x, y) => (isPerson(x, y) ? person : ground) })
}
