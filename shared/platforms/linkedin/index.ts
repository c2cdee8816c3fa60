import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { prepare } from './prepare.ts'
import { commit, makeKey, probe, repeatableSeconds } from './publish.ts'

/** LinkedIn: a repeat of the same text is refused with the name of the first post; the posts of a page can be read. */
export const linkedin: Platform = {
  ...card,
  kind: 'duplicate-refusal',
  repeatableSeconds,
  settleSeconds: 120,
  makeKey,
  prepare,
  commit,
  probe,
}
