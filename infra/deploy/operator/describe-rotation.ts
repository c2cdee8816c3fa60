import type { RotationStep } from '../../../shared/identity/rotate-token-keys.ts'

const asTime = (ms: number) => new Date(ms).toISOString()

/** What a step of the rotation of token keys has done, and the next step. */
export const describeRotation = (step: Exclude<RotationStep, { kind: 'too-early' }>): string => {
  switch (step.kind) {
    case 'added':
      return `Step 1 of 2: a new key is stored and verifies tokens. Run the command again after ${asTime(step.readyAtMs)}.`
    case 'switched':
      return `Step 2 of 2: new tokens are signed with the new key. The previous key verifies tokens until you remove it: from ${asTime(step.readyAtMs)}, run the command with --remove-previous.`
    case 'removed':
      return 'The previous keys are removed. Tokens that they signed are rejected within fifteen minutes.'
    case 'nothing-to-remove':
      return 'There are no previous keys to remove.'
  }
}

/** Why a step was refused. */
export const describeTooEarly = ({ readyAtMs, changedAtMs }: { readyAtMs: number; changedAtMs: number }): string =>
  `Too early: nothing was changed. The keys were last changed at ${asTime(changedAtMs)}; this step is possible after ${asTime(readyAtMs)}.`
