import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { type Context, perContext } from '../context.ts'
import type { Item, Key } from './table.ts'

export const client = perContext(() => new DynamoDBClient({ maxAttempts: 4 }))
export const table = (ctx: Context) => ctx.env('TABLE_NAME')
export const pack = (item: Item | Key) => marshall({ ...item }, { removeUndefinedValues: true })
export const unpack = (item: Record<string, AttributeValue>): Item => unmarshall(item)
/** Waits longer with each attempt, so that those who met do not meet again. */
export const pause = (ctx: Context, attempt: number) => ctx.clock.sleep(Math.ceil(Math.random() * 25 * 2 ** attempt))

/** One call to the table, as others see it. */
export const run = <T>(ctx: Context, action: string, call: () => Promise<T>, resource = table(ctx)): Promise<T> =>
  ctx.observe({ service: 'dynamodb', action, resource }, call)
