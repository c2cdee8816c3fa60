import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { probe } from './probe.ts'
import { commit, makeKey, prepare } from './publish.ts'

/** X: it remembers no key, but refuses a repeat, and the account's own timeline tells what landed. */
export const x: Platform = {
  ...card,
  kind: 'duplicate-refusal',
  settleSeconds: 120,
  makeKey,
  prepare,
  commit,
  probe,
}
