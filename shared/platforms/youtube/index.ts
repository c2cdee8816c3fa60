import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { build, commit, makeKey, prepare, probe } from './publish.ts'

/** YouTube: the last bytes of an upload make the video, and the upload's session tells whether they arrived. */
export const youtube: Platform = {
  ...card,
  kind: 'two-phase',
  // The session is asked, and a repeat into it is harmless: no lag of reads to wait out.
  settleSeconds: 10,
  makeKey,
  prepare,
  build,
  commit,
  probe,
}
