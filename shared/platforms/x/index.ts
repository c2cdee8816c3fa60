import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { probe } from './probe.ts'
import { commit, prepare } from './publish.ts'

/** X: it takes no idempotency key, but rejects a duplicate, and the account's own timeline shows what was published. */
export const x: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'duplicate-refusal',
  readLagSeconds: 120,
  prepare,
  commit,
  probe,
}
