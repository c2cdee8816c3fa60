import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { commit, makeKey, prepare, probe } from './publish.ts'

/** Bluesky: the record's own key makes a repeat harmless for ever. */
export const bluesky: Platform = {
  ...card,
  kind: 'key',
  repeatableSeconds: Number.POSITIVE_INFINITY,
  settleSeconds: 60,
  makeKey,
  prepare,
  commit,
  probe,
}
