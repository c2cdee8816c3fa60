import { randomUUID } from 'node:crypto'
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Context } from '../context.ts'
import { TransactionFailed } from './condition-failed.ts'
import { client, maxTries, pause, table, write } from './connection.ts'
import { type Change, type Condition, compile } from './expression.ts'
import type { Item, Key } from './key.ts'
import { Unavailable } from './unavailable.ts'

/** One part of a transaction; `as` names it, so that its failed condition can be identified. */
export type Write = { as?: string } & (
  | { put: Item; when?: Condition }
  | { update: Key; change: Change; when?: Condition }
  | { delete: Key; when?: Condition }
  | { check: Key; when: Condition }
)

const part = (ctx: Context, one: Write) => {
  const TableName = table(ctx)
  const when = one.when ? { when: one.when } : {}
  if ('put' in one) return { Put: { TableName, Item: one.put, ...compile(when) } }
  if ('update' in one)
    return {
      Update: {
        TableName,
        Key: one.update,
        UpdateExpression: '',
        ...compile({ change: one.change, ...when }),
      },
    }
  if ('delete' in one) return { Delete: { TableName, Key: one.delete, ...compile(when) } }
  return { ConditionCheck: { TableName, Key: one.check, ConditionExpression: '', ...compile(when) } }
}

const passing = new Set(['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])

/** Each try includes several tries of the SDK. */
const maxTriesInDoubt = 2

/** An earlier try with the same token is still in progress. */
const isInProgress = (error: unknown) => error instanceof Error && error.name.startsWith('TransactionInProgress')

/** The names and codes of the writes of a cancelled transaction. */
const failureOf = (error: TransactionCanceledException, writes: readonly Write[]): TransactionFailed =>
  new TransactionFailed(
    (error.CancellationReasons ?? []).map((reason) => reason.Code ?? 'None'),
    writes.map((one) => one.as),
  )

interface Request {
  writes: readonly Write[]
  input: TransactWriteCommandInput
}

const requestOf = (ctx: Context, writes: readonly Write[]): Request => ({
  writes,
  input: { TransactItems: writes.map((one) => part(ctx, one)), ClientRequestToken: randomUUID() },
})

/**
 * Writes all or nothing. `draw` returns the writes and is called for each try, so that a sharded counter can use another
 * shard. Conflicts and throttling are retried for about five seconds. If there was no response, the same transaction is sent
 * again with its token: if it was carried out, DynamoDB says so and does nothing (TransactWriteItems, "Idempotency"; a token
 * is valid for ten minutes). Throws TransactionFailed if a condition did not hold, and Unavailable if the table stays
 * throttled or unreachable.
 */
export const transact = async (ctx: Context, draw: () => readonly Write[]): Promise<void> => {
  let request: Request | undefined
  let unanswered = 0
  for (let tries = 1; ; tries += 1) {
    const { writes, input } = request ?? requestOf(ctx, draw())
    request = { writes, input }
    try {
      await write(ctx, 'TransactWriteItems', () => client(ctx).send(new TransactWriteCommand(input)))
      return
    } catch (error) {
      if (error instanceof Unavailable && error.mayHaveHappened) unanswered += 1
      const cause = error instanceof Unavailable ? error.cause : error
      if (cause instanceof TransactionCanceledException) {
        const failure = failureOf(cause, writes)
        if (!failure.codes.every((code) => passing.has(code))) throw failure
        if (tries >= maxTries) throw new Unavailable(failure, unanswered > 0)
        // A transaction that may have been carried out keeps its token: only a repeat with the same token can tell.
        if (unanswered === 0) request = undefined
      } else if (!(isInProgress(cause) && tries < maxTries)) {
        if (!(error instanceof Unavailable) || unanswered === 0 || unanswered >= maxTriesInDoubt) throw error
      }
      await pause(ctx, tries - 1)
    }
  }
}
