import { BatchGetCommand } from '@aws-sdk/lib-dynamodb'
import { type Context, perContext } from '../context.ts'
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

const readRows = async (ctx: Context, keys: readonly Key[]): Promise<BatchRows> => {
  const distinct = [...new Map(keys.map((key) => [`${key.PK}\n${key.SK}`, key])).values()]
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
}

/** Reads requested at the same moment, and the call that will serve them. */
const gathered = perContext(() => ({ keys: [] as Key[], answer: undefined as Promise<BatchRows> | undefined }))

/**
 * Reads rows by key with strong consistency: removes duplicates, 100 at a time, repeats unprocessed keys. Reads
 * requested at the same moment, by the messages of one batch, share one call.
 */
export const batchGet = (ctx: Context, keys: readonly Key[]): Promise<BatchRows> => {
  const moment = gathered(ctx)
  moment.keys.push(...keys)
  moment.answer ??= Promise.resolve().then(() => {
    const { keys } = moment
    moment.keys = []
    moment.answer = undefined
    return readRows(ctx, keys)
  })
  return moment.answer
}

export const get = async (ctx: Context, key: Key): Promise<Item | undefined> => (await batchGet(ctx, [key])).item(key)
