import type { Violation } from './invariants.ts'
import type { Part } from './parts.ts'
import { type Kind, kindNames } from './platform-kinds.ts'

interface SwitchedOff {
  readonly off: readonly Part[]
  readonly breaks: Violation
  readonly kinds: readonly Kind[]
}

const all = kindNames

/** What breaks, and for which kinds, when one part is switched off: found by running, so each part is there for a reason. */
export const switchedOff: readonly SwitchedOff[] = [
  { off: ['journal'], breaks: 'definitely failed, yet live', kinds: all },
  { off: ['journal'], breaks: 'cancelled without a warning, yet live', kinds: all },
  { off: ['journal'], breaks: 'two posts without consent', kinds: ['two-phase', 'probe', 'none'] },
  { off: ['versionCheck'], breaks: 'published by a stale schedule', kinds: all },
  { off: ['leaseCheck'], breaks: 'published by a stale schedule', kinds: all },
  { off: ['leaseCheck'], breaks: 'two posts without consent', kinds: ['two-phase', 'probe'] },
  { off: ['leaseOutlivesCall'], breaks: 'published by a stale schedule', kinds: all },
  { off: ['leaseOutlivesCall'], breaks: 'two posts without consent', kinds: ['probe'] },
  { off: ['leaseOutlivesCall', 'fence'], breaks: 'definitely failed, yet live', kinds: ['duplicate-refusal'] },
  { off: ['settleWindow'], breaks: 'two posts without consent', kinds: ['two-phase', 'probe'] },
  { off: ['settleWindow'], breaks: 'definitely failed, yet live', kinds: ['key', 'two-phase', 'probe'] },
  { off: ['repeatWindow'], breaks: 'two posts without consent', kinds: ['short refusal'] },
  { off: ['keepAttempt'], breaks: 'cancelled without a warning, yet live', kinds: all },
  { off: ['keepAttempt'], breaks: 'two posts without consent', kinds: ['probe'] },
  { off: ['oldKey'], breaks: 'two posts without consent', kinds: ['key', 'two-phase'] },
  { off: ['settleDeadClaims'], breaks: 'definitely failed, yet live', kinds: all },
  { off: ['refuseInFlight'], breaks: 'cancelled without a warning, yet live', kinds: all },
  { off: ['waitForTime'], breaks: 'published before its time', kinds: all },
  { off: ['artefactOfVersion'], breaks: 'published by a stale schedule', kinds: all },
  { off: ['guardedPrepareFailure'], breaks: 'definitely failed, yet live', kinds: all },
  { off: ['outbox'], breaks: 'published, event lost', kinds: all },
]

/** Parts that save time or stand in the second row: without them alone the model stays safe. */
export const secondLine: readonly Pick<SwitchedOff, 'off' | 'kinds'>[] = [
  { off: ['mergedClaim'], kinds: ['key'] },
  { off: ['fence'], kinds: ['duplicate-refusal'] },
  { off: ['firstWriterWins', 'replaceOnlySettled'], kinds: ['two-phase'] },
]
