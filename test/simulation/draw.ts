import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/** The number from 0 up to 1 that a seed gives to a name, whatever else is drawn. */
export type Draw = (name: string) => number

/** FNV-1a over the name, and the finalizer of MurmurHash3, so that neighbors differ. */
const hash = (text: string, seed: number): number => {
  let value = (0x811c9dc5 ^ seed) >>> 0
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

export const drawOf =
  (seed: number): Draw =>
  (name) =>
    hash(name, Math.imul(seed, 0x9e3779b1)) / 2 ** 32

/** One of several things. */
export const pick = <T>(draw: Draw, name: string, things: readonly T[]): T => {
  const chosen = things[Math.floor(draw(name) * things.length)]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}

/** A number between two, the ends included. */
export const between = (draw: Draw, name: string, least: number, max: number): number =>
  least + Math.floor(draw(name) * (max - least + 1))

/**
 * Replaces the randomness of the process during a run, so that its ids are the same each time. `whose`
 * names who draws: what two draw at the same time does not depend on which of them comes first.
 */
export const withSeededRandomness = async <T>(draw: Draw, whose: () => string, run: () => Promise<T>): Promise<T> => {
  const { randomBytes, randomInt, randomUUID } = crypto
  const { random } = Math
  const drawn = new Map<string, number>()
  const next = () => {
    const who = whose()
    const count = (drawn.get(who) ?? 0) + 1
    drawn.set(who, count)
    return draw(`random ${count} of ${who}`)
  }
  Math.random = next
  const bytes = (size: number) => {
    const words = Uint32Array.from({ length: Math.ceil(size / 4) }, () => next() * 2 ** 32)
    return Buffer.from(words.buffer, 0, size)
  }
  Object.assign(crypto, {
    randomBytes: bytes,
    randomUUID: () =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    randomInt: (low: number, high?: number) =>
      high === undefined ? Math.floor(next() * low) : low + Math.floor(next() * (high - low)),
  })
  syncBuiltinESMExports()
  try {
    return await run()
  } finally {
    Math.random = random
    Object.assign(crypto, { randomBytes, randomInt, randomUUID })
    syncBuiltinESMExports()
  }
}
