import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { commit, makeKey, prepare, probe } from './publish.ts'

/** TikTok: the last chunk of an upload publishes it, and its publish id tells what became of it. */
export const tiktok: Platform = {
  ...card,
  kind: 'two-phase',
  // The publish id is asked, and a repeat of the last chunk is harmless: no lag of reads to wait out.
  settleSeconds: 10,
  makeKey,
  prepare,
  commit,
  probe,
}
