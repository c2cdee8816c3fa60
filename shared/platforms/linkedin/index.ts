import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { prepare } from './prepare.ts'
import { commit, probe, repeatableSeconds } from './publish.ts'

/** LinkedIn: a repeat of the same text is refused with the name of the first post; the posts of a page can be read. */
export const linkedin: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'duplicate-refusal',
  repeatableSeconds,
  readLagSeconds: 120,
  prepare,
  commit,
  probe,
}
