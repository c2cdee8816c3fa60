import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { commit, makeKey, prepare, probe } from './publish.ts'

/** Bluesky: the record's own key makes a repeat harmless forever. */
export const bluesky: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'key',
  repeatableSeconds: Number.POSITIVE_INFINITY,
  readLagSeconds: 60,
  makeKey,
  prepare,
  commit,
  probe,
}
