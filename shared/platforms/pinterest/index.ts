import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { probe } from './probe.ts'
import { build, commit, prepare } from './publish.ts'

/** Pinterest: what was lost is looked for on the board. */
export const pinterest: Platform = {
  ...card,
  kind: 'probe',
  settleSeconds: 120,
  // Pinterest knows no key that would make a repeat harmless.
  makeKey: ({ id, version }) => `${id}:${version}`,
  prepare,
  build,
  commit,
  probe,
}
