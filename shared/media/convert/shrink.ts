import type { Size } from '../inspect/size.ts'

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

/** Fewer steps than this between nothing and the whole would lose too much of the size. */
const fewestSteps = 20

/**
 * A size made smaller by a factor. Platforms bound the aspect to the exact ratio, 4:5 for one, so it stays exact where
 * whole pixels allow that.
 */
export const shrink = ({ width, height }: Size, factor: number): Size => {
  if (factor >= 1) return { width, height }
  const divisor = commonDivisor(width, height)
  const steps = Math.floor(divisor * factor)
  if (steps >= fewestSteps) return { width: (width / divisor) * steps, height: (height / divisor) * steps }
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) }
}
