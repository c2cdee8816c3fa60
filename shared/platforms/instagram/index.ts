import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { commit, prepare, probe } from './publish.ts'

/** Instagram: a container is made before the moment and published at it, and knows for a day whether it was. */
export const instagram: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  readLagSeconds: 120,
  prepare,
  commit,
  probe,
}
