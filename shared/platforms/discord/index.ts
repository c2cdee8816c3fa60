import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { probe } from './probe.ts'
import { build, commit, makeKey, prepare } from './publish.ts'

/** Discord: a nonce makes a repeat harmless for some minutes, the channel's history settles it later. */
export const discord: Platform = {
  ...card,
  kind: 'key',
  repeatableSeconds: 120,
  settleSeconds: 120,
  makeKey,
  prepare,
  build,
  commit,
  probe,
}
