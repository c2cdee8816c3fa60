import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { build, commit, prepare, probe } from './publish.ts'

/** YouTube: the last bytes of an upload make the video, and the upload session shows whether they arrived. */
export const youtube: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  // The session is asked, and a repeat into it is harmless: no lag of reads to wait out.
  readLagSeconds: 10,
  prepare,
  build,
  commit,
  probe,
}
