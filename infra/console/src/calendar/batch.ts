import type { messageOf } from '../messages.ts'
import { attempt, say } from '../service.ts'
import { changes } from '../store.ts'

interface Outcome {
  text: string
  undo?: () => unknown
}

/**
 * Makes a call for one item after the other until the service refuses one, and says what was done, with a way back for
 * that. False if a call was refused.
 */
export const doAll = async <T>(
  items: readonly T[],
  call: (item: T) => Promise<unknown>,
  outcomeOf: (done: readonly T[]) => Outcome,
): Promise<boolean> => {
  const done: T[] = []
  let refusal: ReturnType<typeof messageOf> | undefined
  for (const item of items) {
    const result = await attempt(
      () => call(item),
      (message) => {
        refusal = message
      },
    )
    if (result === undefined) break
    done.push(item)
  }
  const outcome = done.length > 0 ? outcomeOf(done) : undefined
  const text = [outcome?.text, refusal?.text].filter(Boolean).join(' ')
  if (text !== '') say(text, { ...outcome, ...refusal, isBad: refusal !== undefined })
  changes.value += 1
  return done.length === items.length
}

/** `Post canceled.` or `3 posts canceled.` */
export const counted = (count: number, done: string): string =>
  count === 1 ? `Post ${done}.` : `${count} posts ${done}.`
