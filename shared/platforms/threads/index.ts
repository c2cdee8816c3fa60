import type { Platform } from '../platform.ts'
import { card } from './card.ts'
import { commit, prepare, probe } from './publish.ts'

/** Threads: a container is made before the moment and published at it, and knows for a day whether it was. */
export const threads: Platform = {
  ...card,
  kind: 'two-phase',
  settleSeconds: 120,
  makeKey: ({ id, version }) => `${id}:${version}`,
  prepare,
  commit,
  probe,
}
