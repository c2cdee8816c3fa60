import { Fault } from '../../aws-server.ts'
import type { Path } from './nodes.ts'

const spell = (path: Path) => `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`

/** How two paths conflict: one contains the other, or they treat one value as a list and as a map. */
const collision = (one: Path, other: Path): 'overlap' | 'conflict' | undefined => {
  const at = one.findIndex((step, n) => step !== other[n])
  if (at === -1 || at >= other.length) return 'overlap'
  return typeof one[at] === typeof other[at] ? undefined : 'conflict'
}

/** Throws where two paths of one expression overlap or conflict; `what` names the parameter. */
export const assertApart = (paths: readonly Path[], what: string): void => {
  for (const [at, path] of paths.entries()) {
    for (const other of paths.slice(at + 1)) {
      const how = collision(path, other)
      if (how === undefined) continue
      throw new Fault(
        'ValidationException',
        `Invalid ${what}: Two document paths ${how} with each other; must remove or rewrite one of these paths; path one: ${spell(path)}, path two: ${spell(other)}`,
      )
    }
  }
}
