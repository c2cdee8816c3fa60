import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import type { Context } from '../context.ts'
import { inOneTurn } from '../in-one-turn.ts'
import { client, maxTries, pause, run, table } from './connection.ts'
import type { Item, Key } from './key.ts'
import { Unavailable } from './unavailable.ts'

/** Rows of a batch read, looked up by their key. */
export class BatchRows {
  readonly #items = new Map<string, Item>()
  constructor(items: readonly Item[]) {
    for (const item of items) this.#items.set(`${item['PK']}\n${item['SK']}`, item)
  }
  item(key: Key): Item | undefined {
    return this.#items.get(`${key.PK}\n${key.SK}`)
  }
}

/**
 * Reads rows by key with strong consistency: removes duplicates, 100 at a time, repeats unprocessed keys. Reads
 * requested at the same moment, by the messages of one batch, share one call.
 */
export const batchGet = inOneTurn(async (ctx, keyLists: readonly (readonly Key[])[]): Promise<BatchRows> => {
  const distinct = [...new Map(keyLists.flat().map((key) => [`${key.PK}\n${key.SK}`, key])).values()]
  const items: Item[] = []
  const chunks = Array.from({ length: Math.ceil(distinct.length / 100) }, (_, n) =>
    distinct.slice(n * 100, n * 100 + 100),
  )
  await Promise.all(
    chunks.map(async (chunk) => {
      let pending: Item[] = chunk.map((key) => ({ ...key }))
      for (let attempt = 0; pending.length > 0; attempt += 1) {
        if (attempt > 0) await pause(ctx, attempt)
        if (attempt >= maxTries) throw new Unavailable(`keys were left unprocessed after ${maxTries} reads`, false)
        const Keys = pending
        const answer = await run(ctx, 'BatchGetItem', () =>
          client(ctx).send(new BatchGetCommand({ RequestItems: { [table(ctx)]: { Keys, ConsistentRead: true } } })),
        )
        items.push(...(answer.Responses?.[table(ctx)] ?? []))
        pending = answer.UnprocessedKeys?.[table(ctx)]?.Keys ?? []
      }
    }),
  )
  return new BatchRows(items)
})

export const get = async (ctx: Context, key: Key): Promise<Item | undefined> => (await batchGet(ctx, [key])).item(key)
