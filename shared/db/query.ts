import { QueryCommand, type QueryCommandInput, type QueryCommandOutput, ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Context } from '../context.ts'
import { indexes } from '../resources.ts'
import { client, run, table } from './connection.ts'
import { type Condition, compile } from './expression.ts'
import type { Item } from './key.ts'

export interface Page {
  items: Item[]
  /** Where the next page starts; absent after the last. */
  next?: Item
}

export interface QueryRequest {
  index?: keyof typeof indexes
  key: Condition
  /** Which of the rows to return; `limit` counts the others too. */
  filter?: Condition | undefined
  limit?: number
  newestFirst?: boolean
  after?: Item
  /** The ProjectionExpression: the only attributes to return of each row. */
  only?: string
}

const ask = (
  ctx: Context,
  request: QueryRequest,
  more: Partial<QueryCommandInput> = {},
): Promise<QueryCommandOutput> => {
  const command = new QueryCommand({
    TableName: table(ctx),
    ...(request.index ? { IndexName: indexes[request.index].name } : { ConsistentRead: true }),
    ...compile({ key: request.key, ...(request.filter ? { filter: request.filter } : {}) }),
    ...(request.limit === undefined ? {} : { Limit: request.limit }),
    ...(request.after ? { ExclusiveStartKey: request.after } : {}),
    ...(request.only ? { ProjectionExpression: request.only } : {}),
    ScanIndexForward: request.newestFirst !== true,
    ...more,
  })
  return run(ctx, 'Query', () => client(ctx).send(command))
}

/** One Query call; strongly consistent on the table, eventually consistent on an index. */
export const query = async (ctx: Context, request: QueryRequest): Promise<Page> => {
  const answer = await ask(ctx, request)
  return {
    items: answer.Items ?? [],
    ...(answer.LastEvaluatedKey ? { next: answer.LastEvaluatedKey } : {}),
  }
}

/**
 * The position after a number of rows; only their count is transferred; undefined if there are no more.
 * Eventually consistent, so it costs half.
 */
export const skipRows = async (
  ctx: Context,
  { only: _, ...request }: QueryRequest,
  count: number,
): Promise<Item | undefined> => {
  let { after } = request
  let left = count
  do {
    const answer = await ask(
      ctx,
      { ...request, limit: left, ...(after ? { after } : {}) },
      {
        Select: 'COUNT',
        ConsistentRead: false,
      },
    )
    left -= answer.Count ?? 0
    after = answer.LastEvaluatedKey
  } while (after !== undefined && left > 0)
  return after
}

/** How many rows the first page with a filter reads at least, and how much more each page reads than the one before. */
const filtered = { rows: 100, growth: 4 } as const

/** All pages of a Query, up to a number of items. */
export const queryAll = async (
  ctx: Context,
  request: Omit<QueryRequest, 'limit'>,
  atMostItems = 10_000,
): Promise<Item[]> => {
  const items: Item[] = []
  let after = request.after
  for (let rows: number = request.filter ? filtered.rows : 0; ; rows *= filtered.growth) {
    const limit = Math.max(rows, atMostItems - items.length)
    const page = await query(ctx, { ...request, limit, ...(after ? { after } : {}) })
    items.push(...page.items)
    after = page.next
    if (after === undefined || items.length >= atMostItems) return items.slice(0, atMostItems)
  }
}

/** One page of the whole table, unordered. No function has this permission: it is for operators. */
export const scan = async (
  ctx: Context,
  { limit, after }: { limit: number; after?: Item | undefined },
): Promise<Page> => {
  const command = new ScanCommand({
    TableName: table(ctx),
    ConsistentRead: true,
    Limit: limit,
    ...(after ? { ExclusiveStartKey: after } : {}),
  })
  const answer = await run(ctx, 'Scan', () => client(ctx).send(command))
  return { items: answer.Items ?? [], ...(answer.LastEvaluatedKey ? { next: answer.LastEvaluatedKey } : {}) }
}
