import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import fc from 'fast-check'

export const tableName = 'oracle'

/** The table that both engines get: one index of all attributes, one of some. */
export const plan = {
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'PK', KeyType: 'HASH' },
    { AttributeName: 'SK', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'S' },
    { AttributeName: 'g', AttributeType: 'S' },
    { AttributeName: 'n', AttributeType: 'N' },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-n',
      KeySchema: [
        { AttributeName: 'g', KeyType: 'HASH' },
        { AttributeName: 'n', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'by-sk',
      KeySchema: [
        { AttributeName: 'g', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['a'] },
    },
  ],
} as const

// Few keys and few values, so that operations meet.
const PK = fc.constantFrom('p', 'q')
/** Mostly good values, and now and then one that is refused. */
const seldom = <A, B>(good: fc.Arbitrary<A>, bad: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: 60, arbitrary: good }, { weight: 1, arbitrary: bad })
const SK = seldom(fc.constantFrom('a', 'a#1', 'b', 'ü', '漢', '😀'), fc.constant(''))
const number = seldom(
  fc.constantFrom('0', '-1', '1', '2', '10', '-0.5', '1.50', '1e2', '3.14159265358979323846'),
  fc.constantFrom('x', '1e200'),
)
const scalar = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'ü').map((S) => ({ S })),
  number.map((N) => ({ N })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true }),
  fc.constantFrom('AQ==', '').map((text) => ({ B: Buffer.from(text, 'base64') })),
)
const value = fc.oneof(
  { weight: 5, arbitrary: scalar },
  {
    weight: 1,
    arbitrary: seldom(
      fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 }),
      fc.constant([]),
    ).map((SS) => ({ SS })),
  },
  {
    weight: 1,
    arbitrary: seldom(
      fc.uniqueArray(fc.constantFrom('1', '2', '3.0'), { minLength: 1, maxLength: 3 }),
      fc.constant([]),
    ).map((NS) => ({ NS })),
  },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }).map((L) => ({ L })) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('k', 'l'), scalar, { maxKeys: 2 }).map((M) => ({ M })) },
)
const attribute = seldom(fc.constantFrom('a', 'b', 'm', 'l'), fc.constantFrom('g', 'n'))
const key = fc.record({ PK: PK.map((S) => ({ S })), SK: SK.map((S) => ({ S })) })
const item = fc
  .tuple(
    key,
    fc.record(
      { g: fc.constantFrom('u', 'v').map((S) => ({ S })), n: number.map((N) => ({ N })) },
      { requiredKeys: [] },
    ),
    fc.dictionary(fc.constantFrom('a', 'b', 'm', 'l'), value, { maxKeys: 3 }),
    fc.record(
      {
        c: number.map((N) => ({ N })),
        s: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }).map((SS) => ({ SS })),
        m: fc.dictionary(fc.constantFrom('k', 'l'), scalar, { maxKeys: 2 }).map((M) => ({ M })),
        k: fc.array(scalar, { maxLength: 2 }).map((L) => ({ L })),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([keys, indexed, rest, typed]) => ({ ...rest, ...typed, ...indexed, ...keys }))

/** An expression with its placeholders; parts are joined with their marks made distinct. */
interface Expression {
  text: string
  names: Record<string, string>
  values: Record<string, unknown>
}

let marks = 0
const named = (name: string): Expression => {
  marks += 1
  return { text: `#n${marks}`, names: { [`#n${marks}`]: name }, values: {} }
}
const valued = (of: unknown): Expression => {
  marks += 1
  return { text: `:v${marks}`, names: {}, values: { [`:v${marks}`]: of } }
}
const join = (write: (...texts: string[]) => string, ...parts: Expression[]): Expression => ({
  text: write(...parts.map(({ text }) => text)),
  names: Object.assign({}, ...parts.map(({ names }) => names)),
  values: Object.assign({}, ...parts.map(({ values }) => values)),
})

const path = fc.oneof(
  { weight: 5, arbitrary: attribute.map(named) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('k', 'l').map((step) => join((a, b) => `${a}.${b}`, named('m'), named(step))),
  },
  { weight: 1, arbitrary: fc.nat(2).map((at) => join((a) => `${a}[${at}]`, named('l'))) },
)
const operand = fc.oneof({ weight: 1, arbitrary: path }, { weight: 5, arbitrary: value.map(valued) })
/** Attributes that are mostly numbers, sets or lists, so that most updates of them work. */
const count = fc.constantFrom('c', 'd').map(named)
const tags = fc.constantFrom('s', 't').map(named)
const steps = fc.constantFrom('l', 'k').map(named)
const simple = fc.oneof(
  path.map((at) => join((a) => `attribute_exists(${a})`, at)),
  path.map((at) => join((a) => `attribute_not_exists(${a})`, at)),
  fc
    .tuple(path, fc.constantFrom('=', '<>', '<', '<=', '>', '>='), operand)
    .map(([at, sign, other]) => join((a, b) => `${a} ${sign} ${b}`, at, other)),
  fc.tuple(path, value).map(([at, by]) => join((a, b) => `begins_with(${a}, ${b})`, at, valued(by))),
  fc.tuple(path, value).map(([at, by]) => join((a, b) => `contains(${a}, ${b})`, at, valued(by))),
  fc
    .tuple(path, value, value)
    .map(([at, low, high]) => join((a, b, c) => `${a} BETWEEN ${b} AND ${c}`, at, valued(low), valued(high))),
  fc
    .tuple(path, value, value)
    .map(([at, one, other]) => join((a, b, c) => `${a} IN (${b}, ${c})`, at, valued(one), valued(other))),
  fc
    .tuple(path, fc.constantFrom('S', 'N', 'L', 'M', 'SS'))
    .map(([at, type]) => join((a, b) => `attribute_type(${a}, ${b})`, at, valued({ S: type }))),
  fc.tuple(path, fc.nat(3)).map(([at, size]) => join((a, b) => `size(${a}) > ${b}`, at, valued({ N: String(size) }))),
)
const condition = fc.oneof(
  { weight: 4, arbitrary: simple },
  { weight: 1, arbitrary: simple.map((one) => join((a) => `NOT ${a}`, one)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(simple, fc.constantFrom('AND', 'OR'), simple, fc.constantFrom('AND', 'OR'), simple)
      .map(([one, first, two, second, three]) =>
        join((a, b, c) => `${a} ${first} (${b} ${second} ${c})`, one, two, three),
      ),
  },
)
const initial = number.map((N) => valued({ N }))
const action = fc.oneof(
  fc.tuple(path, operand).map(([at, to]) => ['SET', join((a, b) => `${a} = ${b}`, at, to)] as const),
  fc
    .tuple(path, seldom(attribute.map(named), path), value)
    .map(
      ([at, of, other]) =>
        ['SET', join((a, b, c) => `${a} = if_not_exists(${b}, ${c})`, at, of, valued(other))] as const,
    ),
  fc
    .tuple(count, count, initial, initial, fc.constantFrom('+', '-'))
    .map(
      ([at, of, zero, by, sign]) =>
        ['SET', join((a, b, c, d) => `${a} = if_not_exists(${b}, ${c}) ${sign} ${d}`, at, of, zero, by)] as const,
    ),
  fc
    .tuple(steps, steps, value)
    .map(
      ([at, of, by]) =>
        [
          'SET',
          join(
            (a, b, c, d) => `${a} = list_append(if_not_exists(${b}, ${c}), ${d})`,
            at,
            of,
            valued({ L: [] }),
            valued({ L: [by] }),
          ),
        ] as const,
    ),
  fc.tuple(fc.constant('REMOVE' as const), path),
  fc.tuple(count, initial).map(([at, by]) => ['ADD', join((a, b) => `${a} ${b}`, at, by)] as const),
  fc
    .tuple(
      fc.constantFrom('ADD' as const, 'DELETE' as const),
      tags,
      fc.uniqueArray(fc.constantFrom('x', 'y'), { minLength: 1 }),
    )
    .map(([word, at, SS]) => [word, join((a, b) => `${a} ${b}`, at, valued({ SS }))] as const),
  fc
    .tuple(
      fc.constantFrom('ADD' as const, 'DELETE' as const),
      seldom(tags, path),
      seldom(fc.constant({ SS: ['z'] }), value),
    )
    .map(([word, at, by]) => [word, join((a, b) => `${a} ${b}`, at, valued(by))] as const),
)
const update = fc.array(action, { minLength: 1, maxLength: 3 }).map((actions) => {
  const words = [...new Set(actions.map(([word]) => word))]
  const clauses = words.map((word) => {
    const parts = actions.filter(([one]) => one === word).map(([, part]) => part)
    return join((...texts) => `${word} ${texts.join(', ')}`, ...parts)
  })
  return join((...texts) => texts.join(' '), ...clauses)
})
const keyCondition = (hash: string, range: string, of: fc.Arbitrary<unknown>) =>
  fc
    .tuple(
      fc.constantFrom('p', 'q', 'u', 'v'),
      fc.option(fc.tuple(fc.constantFrom('=', '<', '<=', '>', '>=', 'begins', 'between'), of, of)),
    )
    .map(([partition, sort]) => {
      const first = join((a, b) => `${a} = ${b}`, named(hash), valued({ S: partition }))
      if (sort === null) return first
      const [sign, low, high] = sort
      const at = named(range)
      const second =
        sign === 'begins'
          ? join((a, b) => `begins_with(${a}, ${b})`, at, valued(low))
          : sign === 'between'
            ? join((a, b, c) => `${a} BETWEEN ${b} AND ${c}`, at, valued(low), valued(high))
            : join((a, b) => `${a} ${sign} ${b}`, at, valued(low))
      return join((a, b) => `${a} AND ${b}`, first, second)
    })

const placeholders = (...parts: (Expression | null)[]) => {
  const { names, values } = join(() => '', ...parts.filter((part) => part !== null))
  return {
    ...(Object.keys(names).length > 0 ? { ExpressionAttributeNames: names } : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  }
}
const conditional = (given: Expression | null) => (given === null ? {} : { ConditionExpression: given.text })
const onFailure = fc.constantFrom('NONE', 'ALL_OLD').map((word) => ({ ReturnValuesOnConditionCheckFailure: word }))
const capacity = { ReturnConsumedCapacity: 'INDEXES' }

const puts = fc
  .tuple(item, fc.option(condition), onFailure, fc.constantFrom('NONE', 'ALL_OLD'))
  .map(([Item, when, failure, ReturnValues]) => ({
    Item,
    ...conditional(when),
    ...failure,
    ...placeholders(when),
    ReturnValues,
  }))
const deletes = fc
  .tuple(key, fc.option(condition), onFailure, fc.constantFrom('NONE', 'ALL_OLD'))
  .map(([Key, when, failure, ReturnValues]) => ({
    Key,
    ...conditional(when),
    ...failure,
    ...placeholders(when),
    ReturnValues,
  }))
const updates = fc
  .tuple(
    key,
    update,
    fc.option(condition),
    onFailure,
    fc.constantFrom('NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'),
  )
  .map(([Key, change, when, failure, ReturnValues]) => ({
    ...{ Key, UpdateExpression: change.text, ...conditional(when), ...failure },
    ...{ ...placeholders(change, when), ReturnValues },
  }))
const queries = fc
  .tuple(
    fc.oneof(
      keyCondition(
        'PK',
        'SK',
        SK.map((S) => ({ S })),
      ).map((when) => [undefined, when] as const),
      keyCondition(
        'g',
        'n',
        number.map((N) => ({ N })),
      ).map((when) => ['by-n', when] as const),
      keyCondition(
        'g',
        'SK',
        SK.map((S) => ({ S })),
      ).map((when) => ['by-sk', when] as const),
    ),
    fc.option(simple),
    fc.option(fc.integer({ min: 1, max: 4 })),
    fc.boolean(),
    fc.constantFrom(undefined, 'COUNT'),
  )
  .map(([[IndexName, when], filter, Limit, ScanIndexForward, Select]) => ({
    ...(IndexName ? { IndexName } : {}),
    KeyConditionExpression: when.text,
    ...(filter ? { FilterExpression: filter.text } : {}),
    ...placeholders(when, filter),
    ...(Limit ? { Limit } : {}),
    ScanIndexForward,
    ...(Select ? { Select } : {}),
  }))

const inTransaction = fc.oneof(
  puts.map(({ ReturnValues: _, ...Put }) => ({ Put: { TableName: tableName, ...Put } })),
  updates.map(({ ReturnValues: _, ...Update }) => ({ Update: { TableName: tableName, ...Update } })),
  deletes.map(({ ReturnValues: _, ...Delete }) => ({ Delete: { TableName: tableName, ...Delete } })),
  fc.tuple(key, condition, onFailure).map(([Key, when, failure]) => ({
    ConditionCheck: { TableName: tableName, Key, ConditionExpression: when.text, ...failure, ...placeholders(when) },
  })),
)

/** A transaction touches an item once: where it does not, DynamoDB Local looks at conditions before it says so. */
const placeOf = (action: object): string => {
  const [{ Item, Key }] = Object.values(action)
  return JSON.stringify([Item?.PK ?? Key.PK, Item?.SK ?? Key.SK])
}

/** An operation by its name and its input; both engines get the same. */
export interface Command {
  operation: keyof typeof senders
  input: Record<string, unknown>
}

/* Inputs are made wrong on purpose, so their types are not those of the SDK. */
const senders = {
  PutItem: (input: never) => new PutItemCommand(input),
  DeleteItem: (input: never) => new DeleteItemCommand(input),
  UpdateItem: (input: never) => new UpdateItemCommand(input),
  GetItem: (input: never) => new GetItemCommand(input),
  Query: (input: never) => new QueryCommand(input),
  Scan: (input: never) => new ScanCommand(input),
  BatchGetItem: (input: never) => new BatchGetItemCommand(input),
  BatchWriteItem: (input: never) => new BatchWriteItemCommand(input),
  TransactWriteItems: (input: never) => new TransactWriteItemsCommand(input),
  TransactGetItems: (input: never) => new TransactGetItemsCommand(input),
}

const of = (operation: Command['operation'], input: fc.Arbitrary<object>): fc.Arbitrary<Command> =>
  input.map((given) => ({ operation, input: { ...given } }))

const onTable = (given: object) => ({ TableName: tableName, ...capacity, ...given })

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: of('PutItem', puts.map(onTable)) },
  { weight: 2, arbitrary: of('DeleteItem', deletes.map(onTable)) },
  { weight: 6, arbitrary: of('UpdateItem', updates.map(onTable)) },
  {
    weight: 1,
    arbitrary: of(
      'GetItem',
      key.map((Key) => onTable({ Key, ConsistentRead: true })),
    ),
  },
  { weight: 4, arbitrary: of('Query', queries.map(onTable)) },
  {
    weight: 1,
    arbitrary: of(
      'Scan',
      fc
        .option(simple)
        .map((filter) => onTable(filter ? { FilterExpression: filter.text, ...placeholders(filter) } : {})),
    ),
  },
  {
    weight: 1,
    arbitrary: of(
      'BatchGetItem',
      fc
        .array(key, { minLength: 1, maxLength: 4 })
        .map((Keys) => ({ ...capacity, RequestItems: { [tableName]: { Keys, ConsistentRead: true } } })),
    ),
  },
  {
    weight: 1,
    arbitrary: of(
      'BatchWriteItem',
      fc
        .array(
          fc.oneof(
            item.map((Item) => ({ PutRequest: { Item } })),
            key.map((Key) => ({ DeleteRequest: { Key } })),
          ),
          {
            minLength: 1,
            maxLength: 4,
          },
        )
        .map((requests) => ({ ...capacity, RequestItems: { [tableName]: requests } })),
    ),
  },
  {
    weight: 3,
    arbitrary: of(
      'TransactWriteItems',
      fc
        .uniqueArray(inTransaction, { minLength: 1, maxLength: 4, selector: placeOf })
        .map((TransactItems) => ({ ...capacity, TransactItems })),
    ),
  },
  {
    weight: 1,
    arbitrary: of(
      'TransactGetItems',
      fc
        .array(key, { minLength: 1, maxLength: 3 })
        .map((keys) => ({ ...capacity, TransactItems: keys.map((Key) => ({ Get: { TableName: tableName, Key } })) })),
    ),
  },
)

/** Sends a command; an answer without its metadata, or the exception with what its kind tells. */
export const send = async (client: DynamoDBClient, { operation, input }: Command): Promise<unknown> => {
  try {
    const { $metadata: _, ...answer } = (await client.send(senders[operation](input as never) as never)) as {
      $metadata: unknown
    }
    return answer
  } catch (error) {
    const { name, CancellationReasons, Item } = error as {
      name: string
      CancellationReasons?: { Code?: string; Item?: unknown }[]
      Item?: unknown
    }

    return { name, reasons: CancellationReasons?.map(({ Code, Item: old }) => ({ Code, Item: old })), Item }
  }
}
