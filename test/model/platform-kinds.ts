/** What each kind of platform can do about a call whose answer never came (pipeline rule 13). */
export const kinds = {
  key: { readable: true, readsLag: false, resend: 'always', refs: 'client key' },
  'two-phase': { readable: true, readsLag: false, resend: 'same artefact', refs: 'artefact' },
  'duplicate-refusal': { readable: false, readsLag: false, resend: 'always', refs: 'none' },
  'short refusal': { readable: false, readsLag: false, resend: 'while refused', refs: 'none' },
  probe: { readable: true, readsLag: true, resend: 'never', refs: 'none' },
  none: { readable: false, readsLag: false, resend: 'consent', refs: 'none' },
} as const satisfies Record<string, KindRules>

export type Kind = keyof typeof kinds
export const kindNames = [
  'key',
  'two-phase',
  'duplicate-refusal',
  'short refusal',
  'probe',
  'none',
] as const satisfies readonly Kind[]

interface KindRules {
  /** Landed or absent can be read from the platform. */
  readable: boolean
  /** A read may miss a post that is already there. */
  readsLag: boolean
  /** When an unsettled attempt may be sent again without proof that it is absent. */
  resend: 'always' | 'same artefact' | 'while refused' | 'consent' | 'never'
  /** What makes the platform answer a second call with the same post. */
  refs: 'client key' | 'artefact' | 'none'
}
