import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb'
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Context } from '../context.ts'
import { countKeys } from '../resources.ts'
import { ConditionFailed } from './condition-failed.ts'
import { client, maxTries, pause, table, write } from './connection.ts'
import { type Change, type Condition, compile } from './expression.ts'
import type { Item, Key } from './key.ts'
import { Unavailable } from './unavailable.ts'

/** The resource of a write: the counters of calls have permissions of their own. */
const rowOf = (ctx: Context, { PK }: Key): string =>
  PK.startsWith(countKeys) ? `${table(ctx)}/${countKeys}` : table(ctx)

const refused = (error: unknown): never => {
  if (error instanceof ConditionalCheckFailedException) {
    // The document client does not convert the row of an error.
    throw new ConditionFailed(error.Item === undefined ? undefined : unmarshall(error.Item))
  }
  throw error
}

export const put = async (ctx: Context, item: Item, when?: Condition): Promise<void> => {
  await write(ctx, 'PutItem', () =>
    client(ctx)
      .send(new PutCommand({ TableName: table(ctx), Item: item, ...compile({ ...(when ? { when } : {}) }) }))
      .catch(refused),
  )
}

const changeRow = async (
  ctx: Context,
  key: Key,
  change: Change,
  when: Condition | undefined,
  ReturnValues: 'ALL_NEW' | 'ALL_OLD' | 'NONE',
): Promise<Item> => {
  const command = new UpdateCommand({
    TableName: table(ctx),
    Key: key,
    ...compile({ change, ...(when ? { when } : {}) }),
    ReturnValues,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await write(ctx, 'UpdateItem', () => client(ctx).send(command).catch(refused), rowOf(ctx, key))
      return answer.Attributes ?? {}
    } catch (error) {
      // A transaction that holds the row ends within milliseconds; the SDK does not retry by default.
      const meets = error instanceof Unavailable && error.cause instanceof TransactionConflictException
      if (!meets || attempt + 1 >= maxTries) throw error
      await pause(ctx, attempt)
    }
  }
}

/** Changes one row and returns the whole new row; throws ConditionFailed if `when` does not hold. */
export const update = (ctx: Context, key: Key, to: Change, when?: Condition): Promise<Item> =>
  changeRow(ctx, key, to, when, 'ALL_NEW')

/** The same without a result, for many rows. */
export const updateOnly = async (ctx: Context, key: Key, to: Change, when?: Condition): Promise<void> => {
  await changeRow(ctx, key, to, when, 'NONE')
}

/** Changes one row and returns the old row; throws ConditionFailed if `when` does not hold. */
export const updateReturningOld = (ctx: Context, key: Key, to: Change, when?: Condition): Promise<Item> =>
  changeRow(ctx, key, to, when, 'ALL_OLD')
