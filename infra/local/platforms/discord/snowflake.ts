import type { EngineClock } from '../../engines/engine.ts'

const epochMs = 1_420_070_400_000n

/** Creates IDs as Discord does, from the time; always larger than the previous one and than any `known` one. */
export function snowflakes(clock: EngineClock, known: readonly string[]): () => string {
  let last = known.map(BigInt).reduce((largest, id) => (id > largest ? id : largest), 0n)
  return () => {
    const now = (BigInt(clock.now()) - epochMs) << 22n
    last = now > last ? now : last + 1n
    return String(last)
  }
}
