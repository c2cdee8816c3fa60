import { type Call, key, TableName } from './calls.ts'

/** A limit of DynamoDB: what it just lets in, and what is one too many. */
export interface Limit {
  name: string
  /** The error of the embedded table for one too many. */
  expectedError: RegExp
  /** What must be there before. */
  given?: readonly Call[]
  within: Call
  beyond: Call
  /** Why DynamoDB Local differs. */
  otherwiseLocally?: string
}

const text = (length: number) => 'x'.repeat(length)
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

type Item = ReturnType<typeof key> & Record<string, object>
const put = (Item: Item): Call => ['PutItem', { TableName, Item }]
const largest = 400 * 1024
/** An item of so many bytes; names and a key of one character take 7 of them. */
const sized = (bytes: number, SK = 'key'): Item => ({ ...key('p', SK), t: { S: text(bytes - 6 - SK.length) } })
const one = { ':a': { S: 'a' } }
const two = { ':n': { N: '1' } }

const nested = (kind: 'L' | 'M', depth: number): object => {
  if (depth === 0) return { S: 'x' }
  const inner = nested(kind, depth - 1)
  return kind === 'L' ? { L: [inner] } : { M: { a: inner } }
}
const setAt = (path: string, value: object): Call => [
  'UpdateItem',
  { TableName, Key: key('deep'), UpdateExpression: `SET ${path} = :a`, ExpressionAttributeValues: { ':a': value } },
]

const large = (SK: string): Item => sized(largest, SK)
const elevenLarge = [...'abcdefghijk']
const transaction = (TransactItems: object[], more: object = {}): Call => [
  'TransactWriteItems',
  { TransactItems, ...more },
]
const puts = (items: Item[]) => transaction(items.map((Item) => ({ Put: { TableName, Item } })))
const batchPut = (items: Item[]): Call => [
  'BatchWriteItem',
  { RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } },
]
const batchGet = (Keys: object[]): Call => ['BatchGetItem', { RequestItems: { [TableName]: { Keys } } }]
const small = (count: number) => times(count, (at) => key('small', `${at}`))

const when = (ConditionExpression: string, more: object = {}): Call => [
  'PutItem',
  { TableName, Item: key('when'), ConditionExpression, ...more },
]
const query = (KeyConditionExpression: string, more: object = {}): Call => [
  'Query',
  { TableName, KeyConditionExpression, ...more },
]
const update = (UpdateExpression: string, more: object = {}): Call => [
  'UpdateItem',
  { TableName, Key: key('update'), UpdateExpression, ...more },
]
const withIndexes = (name: string, count: number, projectedCount: number): Call => [
  'CreateTable',
  {
    TableName: `${name}-${count}-${projectedCount}`,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
    GlobalSecondaryIndexes: times(count, (at) => ({
      IndexName: `index-${at}`,
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
      Projection:
        projectedCount === 0
          ? { ProjectionType: 'ALL' }
          : { ProjectionType: 'INCLUDE', NonKeyAttributes: times(projectedCount, (n) => `a${n}`) },
    })),
  },
]

const long = 4096
const function_ = 'attribute_not_exists('
const exists = (bytes: number) => `${function_}${text(bytes - function_.length - 1)})`
const tooLong = /Expression size has exceeded the maximum allowed size/
const tooMany = /too many operators; operator count: 301/
const markTooLong = /a key that is too long; size of key: 256/
const tooDeep = /^Nesting Levels have exceeded supported limits/

/** AWS, DynamoDB developer guide, "Service, account, and table quotas" and "Constraints in Amazon DynamoDB". */
export const limits: readonly Limit[] = [
  {
    name: 'an item has 400 KB',
    expectedError: /^Item size has exceeded/,
    within: put(sized(largest)),
    beyond: put(sized(largest + 1)),
  },
  {
    name: 'an item has 400 KB after an update',
    expectedError: /^Item size to update has exceeded/,
    given: [put(sized(largest - 2))],
    within: [
      'UpdateItem',
      { TableName, Key: key('p', 'key'), UpdateExpression: 'SET u = :a', ExpressionAttributeValues: one },
    ],
    beyond: [
      'UpdateItem',
      { TableName, Key: key('p', 'key'), UpdateExpression: 'SET vv = :a', ExpressionAttributeValues: one },
    ],
  },
  {
    name: 'an item of a transaction has 400 KB',
    expectedError: /^Item size has exceeded/,
    within: puts([sized(largest)]),
    beyond: puts([sized(largest + 1)]),
  },
  {
    name: 'an item of a batch has 400 KB',
    expectedError: /^Item size has exceeded/,
    within: batchPut([sized(largest)]),
    beyond: batchPut([sized(largest + 1)]),
  },
  {
    name: 'a partition key has 2,048 bytes',
    expectedError: /Size of hashkey has exceeded/,
    within: put(key(text(2048))),
    beyond: put(key(text(2049))),
  },
  {
    name: 'a sort key has 1,024 bytes',
    expectedError: /size of all range keys has exceeded/,
    within: put(key('p', `${text(1022)}ü`)),
    beyond: put(key('p', `${text(1023)}ü`)),
  },
  {
    name: 'a key that is read has no more',
    expectedError: /size of all range keys has exceeded/,
    within: ['GetItem', { TableName, Key: key('p', text(1024)) }],
    beyond: ['GetItem', { TableName, Key: key('p', text(1025)) }],
  },
  {
    name: 'a partition key of an index has 2,048 bytes',
    expectedError: /Size of hashkey has exceeded/,
    within: put({ ...key('p'), g: { S: text(2048) } }),
    beyond: put({ ...key('p'), g: { S: text(2049) } }),
  },
  {
    name: 'a sort key of an index has 1,024 bytes',
    expectedError: /size of all range keys has exceeded/,
    within: put({ ...key('p'), g: { S: 'g' }, h: { S: text(1024) } }),
    beyond: put({ ...key('p'), g: { S: 'g' }, h: { S: text(1025) } }),
  },
  {
    name: 'a sort key of an index has no more after an update',
    expectedError: /size of all range keys has exceeded/,
    within: update('SET h = :h', { ExpressionAttributeValues: { ':h': { S: text(1024) } } }),
    beyond: update('SET h = :h', { ExpressionAttributeValues: { ':h': { S: text(1025) } } }),
  },
  {
    name: 'a condition for a sort key has 1,024 bytes',
    expectedError: /size of all range keys has exceeded/,
    within: query('PK = :a AND SK > :b', { ExpressionAttributeValues: { ...one, ':b': { S: text(1024) } } }),
    beyond: query('PK = :a AND SK > :b', { ExpressionAttributeValues: { ...one, ':b': { S: text(1025) } } }),
  },
  {
    name: 'a name has less than 64 KB',
    expectedError: /Attribute name is too large, must be less than 65536 bytes/,
    within: put({ ...key('p'), m: { M: { [text(65_535)]: { S: 'x' } } } }),
    beyond: put({ ...key('p'), m: { M: { [text(65_536)]: { S: 'x' } } } }),
    otherwiseLocally: 'it fails with an internal error',
  },
  {
    name: 'a number has 38 digits',
    expectedError: /more than 38 significant digits/,
    within: put({ ...key('p'), n: { N: '9'.repeat(38) } }),
    beyond: put({ ...key('p'), n: { N: '9'.repeat(39) } }),
  },
  {
    name: 'a number is below 10^126',
    expectedError: /^Number overflow/,
    within: put({ ...key('p'), n: { N: '-9.9999999999999999999999999999999999999E+125' } }),
    beyond: put({ ...key('p'), n: { N: '-1E+126' } }),
  },
  {
    name: 'a number is no smaller than 10^-130',
    expectedError: /^Number underflow/,
    within: put({ ...key('p'), n: { N: '1E-130' } }),
    beyond: put({ ...key('p'), n: { N: '1E-131' } }),
  },
  ...(['L', 'M'] as const).map((kind) => ({
    name: `values nest 32 levels deep (${kind})`,
    expectedError: tooDeep,
    within: put({ ...key('p'), d: nested(kind, 31) }),
    beyond: put({ ...key('p'), d: nested(kind, 32) }),
  })),
  {
    name: 'values of an expression nest no deeper',
    expectedError: tooDeep,
    within: setAt('d', nested('M', 31)),
    beyond: setAt('d', nested('M', 32)),
  },
  {
    name: 'an update nests no deeper',
    expectedError: tooDeep,
    given: [put({ ...key('deep'), d: nested('M', 30) })],
    within: setAt(`d${'.a'.repeat(30)}`, nested('M', 1)),
    beyond: setAt(`d${'.a'.repeat(30)}`, nested('M', 2)),
  },
  {
    name: 'a transaction has 100 actions',
    expectedError: /less than or equal to 100$/,
    within: puts(small(100)),
    beyond: puts(small(101)),
  },
  {
    name: 'a transaction has 4 MB',
    expectedError: /exceeds 4 MB$/,
    within: puts(elevenLarge.slice(1).map(large)),
    beyond: puts(elevenLarge.map(large)),
  },
  {
    name: 'a transaction checks items of 4 MB',
    expectedError: /exceeds 4 MB$/,
    given: elevenLarge.map((SK) => put(large(SK))),
    within: transaction(
      elevenLarge.slice(1).map((SK) => ({
        ConditionCheck: { TableName, Key: key('p', SK), ConditionExpression: 'attribute_exists(PK)' },
      })),
    ),
    beyond: transaction(
      elevenLarge.map((SK) => ({
        ConditionCheck: { TableName, Key: key('p', SK), ConditionExpression: 'attribute_exists(PK)' },
      })),
    ),
    otherwiseLocally: 'it counts only what is written; AWS speaks of the items in the transaction',
  },
  {
    name: 'a token has 36 characters',
    expectedError: /less than or equal to 36$/,
    within: transaction([{ Put: { TableName, Item: key('p') } }], { ClientRequestToken: text(36) }),
    beyond: transaction([{ Put: { TableName, Item: key('p') } }], { ClientRequestToken: text(37) }),
  },
  {
    name: 'a batch has 25 writes',
    expectedError: /less than or equal to 25\b/,
    within: batchPut(small(25)),
    beyond: batchPut(small(26)),
  },
  {
    name: 'a batch reads 100 items',
    expectedError: /less than or equal to 100$/,
    within: batchGet(small(100)),
    beyond: batchGet(small(101)),
  },
  {
    name: 'a condition has 4 KB',
    expectedError: tooLong,
    within: when(exists(long)),
    beyond: when(exists(long + 1)),
  },
  {
    name: 'an update has 4 KB',
    expectedError: tooLong,
    within: update(`REMOVE ${text(long - 7)}`),
    beyond: update(`REMOVE ${text(long - 6)}`),
  },
  {
    name: 'a projection has 4 KB',
    expectedError: tooLong,
    within: ['GetItem', { TableName, Key: key('p'), ProjectionExpression: text(long) }],
    beyond: ['GetItem', { TableName, Key: key('p'), ProjectionExpression: text(long + 1) }],
  },
  {
    name: 'a filter has 4 KB',
    expectedError: tooLong,
    within: ['Scan', { TableName, FilterExpression: exists(long), Limit: 1 }],
    beyond: ['Scan', { TableName, FilterExpression: exists(long + 1), Limit: 1 }],
  },
  {
    name: 'a key condition has 4 KB',
    expectedError: tooLong,
    within: query(`PK = :a${' '.repeat(long - 7)}`, { ExpressionAttributeValues: one }),
    beyond: query(`PK = :a${' '.repeat(long - 6)}`, { ExpressionAttributeValues: one }),
  },
  ...[
    ['comparisons', 'b<:a', 150],
    ['IN', 'b IN (:a)', 150],
    ['BETWEEN', 'b BETWEEN :a AND :a', 150],
  ].map(([name, part, count]) => ({
    name: `a condition has 300 operators (${name})`,
    expectedError: tooMany,
    within: when(times(Number(count), () => part).join(' OR '), { ExpressionAttributeValues: one }),
    beyond: when(times(Number(count) + 1, () => part).join(' OR '), { ExpressionAttributeValues: one }),
  })),
  {
    name: 'a condition has 300 operators (functions)',
    expectedError: tooMany,
    within: when(times(100, () => 'size(b)=:n').join(' OR '), { ExpressionAttributeValues: two }),
    beyond: when(`b=:n OR ${times(100, () => 'size(b)=:n').join(' OR ')}`, { ExpressionAttributeValues: two }),
  },
  {
    name: 'a condition has 300 operators (NOT)',
    expectedError: tooMany,
    within: when(`${'NOT '.repeat(299)}attribute_exists(b)`),
    beyond: when(`${'NOT '.repeat(300)}attribute_exists(b)`),
  },
  {
    name: 'an update has 300 operators',
    expectedError: tooMany,
    within: update(`SET ${times(300, (at) => `n${at}=:n+:n`).join()}`, { ExpressionAttributeValues: two }),
    beyond: update(`SET ${times(301, (at) => `n${at}=:n+:n`).join()}`, { ExpressionAttributeValues: two }),
  },
  {
    name: 'IN has 100 operands',
    expectedError: /too many operands; number of operands: 101/,
    within: when(`b IN (${times(100, () => ':a').join()})`, { ExpressionAttributeValues: one }),
    beyond: when(`b IN (${times(101, () => ':a').join()})`, { ExpressionAttributeValues: one }),
  },
  {
    name: 'a path has 32 steps',
    expectedError: /too many nesting levels; nesting levels: 33/,
    within: when(`attribute_not_exists(b${'[0].a'.repeat(15)}.a)`),
    beyond: when(`attribute_not_exists(b${'[0].a'.repeat(16)})`),
  },
  {
    name: 'a list index is a number of 31 bits',
    expectedError: /List index is not within the allowable range; index: \[2147483648\]/,
    within: when('attribute_not_exists(b[2147483647])'),
    beyond: when('attribute_not_exists(b[2147483648])'),
  },
  {
    name: 'a placeholder of a name has 255 characters',
    expectedError: markTooLong,
    within: when(`attribute_not_exists(#${text(254)})`, { ExpressionAttributeNames: { [`#${text(254)}`]: 'b' } }),
    beyond: when(`attribute_not_exists(#${text(255)})`, { ExpressionAttributeNames: { [`#${text(255)}`]: 'b' } }),
  },
  {
    name: 'a placeholder of a value has 255 characters',
    expectedError: markTooLong,
    within: when(`b = :${text(254)}`, { ExpressionAttributeValues: { [`:${text(254)}`]: { S: 'b' } } }),
    beyond: when(`b = :${text(255)}`, { ExpressionAttributeValues: { [`:${text(255)}`]: { S: 'b' } } }),
  },
  {
    name: 'a placeholder stands for a name of less than 64 KB',
    expectedError: /Attribute name is too large, must be less than 65536 bytes for key #a/,
    within: when('attribute_not_exists(#a)', { ExpressionAttributeNames: { '#a': text(65_535) } }),
    beyond: when('attribute_not_exists(#a)', { ExpressionAttributeNames: { '#a': text(65_536) } }),
  },
  {
    name: 'the values of an expression have 2 MB',
    expectedError: /^ExpressionAttributeValues exceeds max size/,
    within: when('b = :a', { ExpressionAttributeValues: { ':a': { S: text(1_000_000) } } }),
    beyond: when('b = :a', { ExpressionAttributeValues: { ':a': { S: text(2_100_000) } } }),
  },
  {
    name: 'a table has 20 indexes',
    expectedError: /count exceeds the per-table limit of 20/,
    within: withIndexes('indexes', 20, 0),
    beyond: withIndexes('indexes', 21, 0),
  },
  {
    name: 'the indexes of a table include 100 attributes',
    expectedError: /projected attributes exceeds the per-table limit of 100/,
    within: withIndexes('included', 5, 20),
    beyond: withIndexes('included', 6, 17),
  },
]
