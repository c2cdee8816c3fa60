import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { probe } from './probe.ts'
import { commit, prepare } from './publish.ts'

/** Facebook Pages: nothing makes a repeat harmless, but the page's own feed tells what became of a post. */
export const facebook: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'probe',
  readLagSeconds: 120,
  prepare,
  commit,
  probe,
}
