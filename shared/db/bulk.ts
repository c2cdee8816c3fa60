import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Context } from '../context.ts'
import { client, maxTries, pause, table, write } from './connection.ts'
import type { Key } from './table.ts'
import { Unavailable } from './unavailable.ts'

/** Deletes rows without conditions, 25 at a time; repeats unprocessed ones. */
export const removeRows = async (ctx: Context, keys: readonly Key[]): Promise<void> => {
  for (let from = 0; from < keys.length; from += 25) {
    let pending: NonNullable<BatchWriteCommandInput['RequestItems']>[string] = keys
      .slice(from, from + 25)
      .map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }))
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      if (attempt > 0) await pause(ctx, attempt)
      if (attempt >= maxTries) throw new Unavailable(`rows were left unprocessed after ${maxTries} writes`, true)
      const RequestItems = { [table(ctx)]: pending }
      const answer = await write(ctx, 'BatchWriteItem', () => client(ctx).send(new BatchWriteCommand({ RequestItems })))
      pending = answer.UnprocessedItems?.[table(ctx)] ?? []
    }
  }
}
