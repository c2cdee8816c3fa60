import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'
import { commit, prepare, probe } from './publish.ts'

/** TikTok: the last chunk of an upload publishes it, and the status of its publish id returns its outcome. */
export const tiktok: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'two-phase',
  // The publish id is asked, and a repeat of the last chunk is harmless: no lag of reads to wait out.
  readLagSeconds: 10,
  prepare,
  commit,
  probe,
}
