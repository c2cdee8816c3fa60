import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { probe } from './probe.ts'
import { commit, prepare } from './publish.ts'

/** Reddit: what was lost is looked for among the account's own posts. */
export const reddit: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  prepare,
  commit,
  probe,
}
