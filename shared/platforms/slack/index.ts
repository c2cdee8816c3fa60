import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { probe } from './probe.ts'
import { commit, prepare } from './publish.ts'

/**
 * Slack: a message carries the id of its post, by which a lost one is found; files are asked whether they are shared.
 */
export const slack: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  prepare,
  commit,
  probe,
}
