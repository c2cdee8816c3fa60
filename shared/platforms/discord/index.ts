import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { probe } from './probe.ts'
import { build, commit, makeKey, prepare } from './publish.ts'

/** Discord: a nonce makes a repeat harmless for some minutes, the channel's history settles it later. */
export const discord: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'key',
  repeatableSeconds: 120,
  readLagSeconds: 120,
  makeKey,
  prepare,
  build,
  commit,
  probe,
}
