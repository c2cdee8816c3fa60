import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { probe } from './probe.ts'
import { commit, makeKey, prepare } from './publish.ts'

/** Slack: a message carries the id of its post, by which a lost one is found; files are asked whether they are shared. */
export const slack: Platform = {
  ...card,
  kind: 'probe',
  settleSeconds: 120,
  makeKey,
  prepare,
  commit,
  probe,
}
