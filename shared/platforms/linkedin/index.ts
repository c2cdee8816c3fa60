import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { prepare } from './prepare.ts'
import { commit, makeKey, probe } from './publish.ts'

/** LinkedIn: a repeat of the same text is refused with the name of the first post. */
export const linkedin: Platform = {
  ...card,
  kind: 'duplicate-refusal',
  // Sent again at once: the refusal is certain only for a short while.
  settleSeconds: 0,
  makeKey,
  prepare,
  commit,
  probe,
}
