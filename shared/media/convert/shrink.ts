import type { Size } from '../inspect/size.ts'

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

/** With fewer steps than this between zero and the full size, too much of the size would be lost. */
const fewestSteps = 20

/**
 * A size multiplied by a factor. Platforms limit the exact aspect ratio, such as 4:5, so it stays exact where whole
 * pixels allow it.
 */
export const shrink = ({ width, height }: Size, factor: number): Size => {
  if (factor >= 1) return { width, height }
  const divisor = commonDivisor(width, height)
  const steps = Math.floor(divisor * factor)
  if (steps >= fewestSteps) return { width: (width / divisor) * steps, height: (height / divisor) * steps }
  return { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) }
}
