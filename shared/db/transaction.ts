import { randomUUID } from 'node:crypto'
import {
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import type { Context } from '../context.ts'
import { client, mostTries, pause, write } from './connection.ts'
import { Unavailable } from './unavailable.ts'

/** A transaction that was cancelled; `codes` has one word per write, in order. */
export class TransactionFailed extends Error {
  override name = 'TransactionFailed'
  readonly codes: readonly string[]
  constructor(codes: readonly string[]) {
    super(`transaction cancelled: ${codes.join(', ')}`)
    this.codes = codes
  }
}

const passing = new Set(['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

/** Each of them is several tries of the SDK. */
const mostTriesInDoubt = 2

/** An earlier try is still at work under the same token. */
const isInProgress = (error: unknown) => error instanceof Error && error.name.startsWith('TransactionInProgress')

/** The codes of a transaction that passing trouble cancelled; throws every error that does not pass. */
const codesOf = (error: TransactionCanceledException): string[] => {
  const codes = (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None')
  if (!codes.every((code) => passing.has(code))) throw new TransactionFailed(codes)
  return codes
}

/**
 * Carries out a transaction, drawn anew for each try. Where an answer did not come, the same transaction is sent again
 * under its token: if it was carried out, DynamoDB says so and does nothing (TransactWriteItems, "Idempotency"; a token
 * holds for ten minutes). Throws TransactionFailed where a condition did not hold, Unavailable where trouble outlives the
 * retries.
 */
export const carryOut = async (ctx: Context, draw: () => TransactWriteItem[]): Promise<void> => {
  let drawn: { TransactItems: TransactWriteItem[]; ClientRequestToken: string } | undefined
  let unanswered = 0
  for (let tries = 1; ; tries += 1) {
    const input = drawn ?? { TransactItems: draw(), ClientRequestToken: randomUUID() }
    drawn = input
    try {
      await write(ctx, 'TransactWriteItems', () => client(ctx).send(new TransactWriteItemsCommand(input)))
      return
    } catch (error) {
      if (error instanceof Unavailable && error.mayHaveHappened) unanswered += 1
      const cause = error instanceof Unavailable ? error.cause : error
      if (cause instanceof TransactionCanceledException) {
        const codes = codesOf(cause)
        if (tries >= mostTries) throw new Unavailable(new TransactionFailed(codes), unanswered > 0)
        // The token of one that may have been carried out is kept: it alone can tell.
        if (unanswered === 0) drawn = undefined
      } else if (!(isInProgress(cause) && tries < mostTries)) {
        if (!(error instanceof Unavailable) || unanswered === 0 || unanswered >= mostTriesInDoubt) throw error
      }
      await pause(ctx, tries - 1)
    }
  }
}
