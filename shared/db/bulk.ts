import { BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb'
import type { Context } from '../context.ts'
import { client, maxTries, pack, pause, table, write } from './connection.ts'
import type { Key } from './table.ts'
import { Unavailable } from './unavailable.ts'

/** Deletes rows without conditions, 25 at a time; repeats unprocessed ones. */
export const removeRows = async (ctx: Context, keys: readonly Key[]): Promise<void> => {
  for (let from = 0; from < keys.length; from += 25) {
    let pending: WriteRequest[] = keys
      .slice(from, from + 25)
      .map(({ PK, SK }) => ({ DeleteRequest: { Key: pack({ PK, SK }) } }))
    for (let attempt = 0; pending.length > 0; attempt += 1) {
      if (attempt > 0) await pause(ctx, attempt)
      if (attempt >= maxTries) throw new Unavailable(`rows were left unprocessed after ${maxTries} writes`, true)
      const RequestItems = { [table(ctx)]: pending }
      const answer = await write(ctx, 'BatchWriteItem', () =>
        client(ctx).send(new BatchWriteItemCommand({ RequestItems })),
      )
      pending = answer.UnprocessedItems?.[table(ctx)] ?? []
    }
  }
}
