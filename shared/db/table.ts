import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { type Context, perContext } from '../context.ts'
import { countKeys, indexes } from '../resources.ts'
import { client, mostTries, pack, pause, run, table, unpack, write } from './connection.ts'
import { type Change, type Condition, compile } from './expression.ts'
import { carryOut } from './transaction.ts'
import { Unavailable } from './unavailable.ts'

export { TransactionFailed } from './transaction.ts'

export interface Key {
  PK: string
  SK: string
}

export type Item = Record<string, unknown>

export const keyOf = (item: Item): Key => ({ PK: String(item['PK']), SK: String(item['SK']) })

/** One part of a transaction. */
export type Write =
  | { put: Item; when?: Condition }
  | { update: Key; change: Change; when?: Condition }
  | { delete: Key; when?: Condition }
  | { check: Key; when: Condition }

/** A conditional write that lost: the row was not in the state the caller needed. */
export class ConditionFailed extends Error {
  override name = 'ConditionFailed'
  /** The row as it was, where an update lost; undefined where there was none. */
  readonly row: Item | undefined
  constructor(row?: Item) {
    super('the condition did not hold')
    this.row = row
  }
}

/** What a write to one row is about: rights are given to the counters of calls apart from the other rows. */
const rowOf = (ctx: Context, { PK }: Key): string =>
  PK.startsWith(countKeys) ? `${table(ctx)}/${countKeys}` : table(ctx)

/** Rows of a batch read, found again by their key. */
export class Found {
  readonly #items = new Map<string, Item>()
  constructor(items: readonly Item[]) {
    for (const item of items) this.#items.set(`${item['PK']}\n${item['SK']}`, item)
  }
  item(key: Key): Item | undefined {
    return this.#items.get(`${key.PK}\n${key.SK}`)
  }
}

const readRows = async (ctx: Context, keys: readonly Key[]): Promise<Found> => {
  const distinct = [...new Map(keys.map((key) => [`${key.PK}\n${key.SK}`, key])).values()]
  const items: Item[] = []
  const chunks = Array.from({ length: Math.ceil(distinct.length / 100) }, (_, n) =>
    distinct.slice(n * 100, n * 100 + 100),
  )
  await Promise.all(
    chunks.map(async (chunk) => {
      let pending: Record<string, AttributeValue>[] = chunk.map(pack)
      for (let attempt = 0; pending.length > 0; attempt += 1) {
        if (attempt > 0) await pause(ctx, attempt)
        if (attempt >= mostTries) throw new Unavailable(`keys were left unprocessed after ${mostTries} reads`, false)
        const Keys = pending
        const answer = await run(ctx, 'BatchGetItem', () =>
          client(ctx).send(new BatchGetItemCommand({ RequestItems: { [table(ctx)]: { Keys, ConsistentRead: true } } })),
        )
        items.push(...(answer.Responses?.[table(ctx)] ?? []).map(unpack))
        pending = answer.UnprocessedKeys?.[table(ctx)]?.Keys ?? []
      }
    }),
  )
  return new Found(items)
}

/** Reads that were asked for in one moment, and the trip that will make them. */
const gathered = perContext(() => ({ keys: [] as Key[], answer: undefined as Promise<Found> | undefined }))

/**
 * Strongly reads rows by key: duplicates removed, 100 at a time, unprocessed keys asked again. What is asked for in the
 * same moment, by the messages of one batch, is one trip.
 */
export const batchGet = (ctx: Context, keys: readonly Key[]): Promise<Found> => {
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

export interface Page {
  items: Item[]
  /** Where the next page starts; absent after the last. */
  next?: Item
}

export interface QueryRequest {
  index?: keyof typeof indexes
  key: Condition
  limit?: number
  newestFirst?: boolean
  after?: Item
  /** All that is wanted of each row. */
  only?: 'SK'
}

const ask = (
  ctx: Context,
  request: QueryRequest,
  more: Partial<QueryCommandInput> = {},
): Promise<QueryCommandOutput> => {
  const command = new QueryCommand({
    TableName: table(ctx),
    ...(request.index ? { IndexName: indexes[request.index].name } : { ConsistentRead: true }),
    ...compile({ key: request.key }),
    ...(request.limit === undefined ? {} : { Limit: request.limit }),
    ...(request.after ? { ExclusiveStartKey: pack(request.after) } : {}),
    ...(request.only ? { ProjectionExpression: request.only } : {}),
    ScanIndexForward: request.newestFirst !== true,
    ...more,
  })
  return run(ctx, 'Query', () => client(ctx).send(command))
}

/** One Query call; strong on the table, eventually consistent on an index. */
export const query = async (ctx: Context, request: QueryRequest): Promise<Page> => {
  const answer = await ask(ctx, request)
  return {
    items: (answer.Items ?? []).map(unpack),
    ...(answer.LastEvaluatedKey ? { next: unpack(answer.LastEvaluatedKey) } : {}),
  }
}

/**
 * Where a Query stands behind so many rows, of which only the number travels; undefined where there are no more.
 * Eventually consistent: so it costs half.
 */
export const passOver = async (
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
    after = answer.LastEvaluatedKey && unpack(answer.LastEvaluatedKey)
  } while (after !== undefined && left > 0)
  return after
}

/** All pages of a Query, up to a number of items. */
export const queryAll = async (
  ctx: Context,
  request: Omit<QueryRequest, 'limit'>,
  atMostItems = 10_000,
): Promise<Item[]> => {
  const items: Item[] = []
  let after = request.after
  do {
    const limit = atMostItems - items.length
    const page = await query(ctx, { ...request, limit, ...(after ? { after } : {}) })
    items.push(...page.items)
    after = page.next
  } while (after !== undefined && items.length < atMostItems)
  return items
}

const refused = (error: unknown): never => {
  if (error instanceof ConditionalCheckFailedException) {
    throw new ConditionFailed(error.Item === undefined ? undefined : unpack(error.Item))
  }
  throw error
}

export const put = async (ctx: Context, item: Item, when?: Condition): Promise<void> => {
  await write(ctx, 'PutItem', () =>
    client(ctx)
      .send(new PutItemCommand({ TableName: table(ctx), Item: pack(item), ...compile({ ...(when ? { when } : {}) }) }))
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
  const command = new UpdateItemCommand({
    TableName: table(ctx),
    Key: pack(key),
    ...compile({ change, ...(when ? { when } : {}) }),
    ReturnValues,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  })
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await write(ctx, 'UpdateItem', () => client(ctx).send(command).catch(refused), rowOf(ctx, key))
      return unpack(answer.Attributes ?? {})
    } catch (error) {
      // A transaction that has the row at this moment is over in no time; the SDK does not try again by itself.
      const meets = error instanceof Unavailable && error.cause instanceof TransactionConflictException
      if (!meets || attempt + 1 >= mostTries) throw error
      await pause(ctx, attempt)
    }
  }
}

/** Changes one row and answers the whole new row; throws ConditionFailed where `when` does not hold. */
export const update = (ctx: Context, key: Key, to: Change, when?: Condition): Promise<Item> =>
  changeRow(ctx, key, to, when, 'ALL_NEW')

/** The same without an answer, where many rows are changed. */
export const alter = async (ctx: Context, key: Key, to: Change, when?: Condition): Promise<void> => {
  await changeRow(ctx, key, to, when, 'NONE')
}

/** Changes one row and answers what it was before; throws ConditionFailed where `when` does not hold. */
export const updateFrom = (ctx: Context, key: Key, to: Change, when?: Condition): Promise<Item> =>
  changeRow(ctx, key, to, when, 'ALL_OLD')

const part = (ctx: Context, one: Write) => {
  const TableName = table(ctx)
  const when = one.when ? { when: one.when } : {}
  if ('put' in one) return { Put: { TableName, Item: pack(one.put), ...compile(when) } }
  if ('update' in one)
    return {
      Update: {
        TableName,
        Key: pack(one.update),
        UpdateExpression: '',
        ...compile({ change: one.change, ...when }),
      },
    }
  if ('delete' in one) return { Delete: { TableName, Key: pack(one.delete), ...compile(when) } }
  return { ConditionCheck: { TableName, Key: pack(one.check), ConditionExpression: '', ...compile(when) } }
}

/**
 * Writes all or nothing; `writes` is asked anew for each try, so that a sharded counter can take another shard. Conflicts
 * and throttling are tried again for some five seconds. Throws TransactionFailed where a condition did not hold, and
 * Unavailable where the table stays too busy or out of reach.
 */
export const transact = (ctx: Context, writes: () => readonly Write[]): Promise<void> =>
  carryOut(ctx, () => writes().map((one) => part(ctx, one)))
