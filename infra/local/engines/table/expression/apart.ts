import { Fault } from '../../aws-server.ts'
import type { Path } from './nodes.ts'

const startsWith = (path: Path, prefix: Path) => prefix.every((step, at) => path[at] === step)

const spell = (path: Path) => `[${path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join(', ')}]`

/** Two paths of one expression may not be the same, nor one a part of the other; `what` names the parameter. */
export const assertApart = (paths: readonly Path[], what: string): void => {
  for (const [at, path] of paths.entries()) {
    const other = paths.slice(at + 1).find((one) => startsWith(one, path) || startsWith(path, one))
    if (other === undefined) continue
    throw new Fault(
      'ValidationException',
      `Invalid ${what}: Two document paths overlap with each other; must remove or rewrite one of these paths; path one: ${spell(path)}, path two: ${spell(other)}`,
    )
  }
}
