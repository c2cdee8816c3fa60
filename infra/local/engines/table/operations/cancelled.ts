import { Fault } from '../../aws-server.ts'
import { EmptyKey } from '../keys.ts'
import { Throttled } from '../throttling.ts'
import type { Item } from '../value.ts'
import { ConditionFailed, TooLarge } from '../write.ts'

interface Reason {
  Code: string
  Message?: string
  Item?: Item
}

/** Why a transaction was canceled: one reason for each action, in their order. */
class Cancelled extends Fault {
  readonly members: object
  constructor(reasons: readonly Reason[]) {
    const codes = reasons.map(({ Code }) => Code).join(', ')
    super(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    )
    this.members = { CancellationReasons: reasons }
  }
}

/** Another transaction holds the item. */
export class ItemLocked extends Error {}

interface Part {
  /** Whether the reason of a failed condition shows the current item. */
  wantsItem: boolean
}

const reasonFor = ({ wantsItem }: Part, error: unknown): Reason => {
  if (error instanceof ItemLocked)
    return { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' }
  if (error instanceof Throttled) return { Code: 'ThrottlingError', Message: error.message }
  // These are detected before the transaction begins, so that the request is rejected as a whole.
  if (error instanceof EmptyKey || error instanceof TooLarge) throw error
  if (error instanceof ConditionFailed) {
    return {
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      ...(wantsItem && error.item !== undefined ? { Item: error.item } : {}),
    }
  }
  if (error instanceof Fault) return { Code: 'ValidationError', Message: error.message }
  throw error
}

/** Does the same for each part of a transaction; throws its cancellation if it fails for any of them. */
export const forEachPart = <P extends Part, T>(parts: readonly P[], act: (part: P) => T): T[] => {
  const outcomes = parts.map((part) => {
    try {
      return { done: [act(part)], reason: { Code: 'None' } }
    } catch (error) {
      return { done: [], reason: reasonFor(part, error) }
    }
  })
  if (outcomes.some(({ done }) => done.length === 0)) throw new Cancelled(outcomes.map(({ reason }) => reason))
  return outcomes.flatMap(({ done }) => done)
}
