import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { probe } from './probe.ts'
import { commit, prepare } from './publish.ts'

/** Facebook Pages: nothing makes a repeat harmless, but the page's own feed tells what became of a post. */
export const facebook: Platform = {
  ...card,
  kind: 'probe',
  settleSeconds: 120,
  makeKey: ({ id, version }) => `${id}:${version}`,
  prepare,
  commit,
  probe,
}
