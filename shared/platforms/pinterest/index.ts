import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { probe } from './probe.ts'
import { build, commit, prepare } from './publish.ts'

/** Pinterest: what was lost is looked for on the board. */
export const pinterest: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  // Pinterest knows no key that would make a repeat harmless.
  prepare,
  build,
  commit,
  probe,
}
