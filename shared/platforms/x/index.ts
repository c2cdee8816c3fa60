import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { probe } from './probe.ts'
import { commit, prepare } from './publish.ts'

/** X: it remembers no key, but refuses a repeat, and the account's own timeline tells what landed. */
export const x: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'duplicate-refusal',
  readLagSeconds: 120,
  prepare,
  commit,
  probe,
}
