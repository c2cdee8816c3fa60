import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { probe } from './probe.ts'
import { commit, makeKey, prepare } from './publish.ts'

/** Reddit: what was lost is looked for among the account's own posts. */
export const reddit: Platform = {
  ...card,
  kind: 'probe',
  settleSeconds: 120,
  makeKey,
  prepare,
  commit,
  probe,
}
