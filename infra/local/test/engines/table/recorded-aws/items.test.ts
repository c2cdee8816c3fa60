import { describe, expect, test } from 'vitest'
import { constraint, type Input, refused, useEngine } from './engine.ts'

const send = useEngine()
const invalid = (message: string) => refused(`One or more parameter values were invalid: ${message}`)
const notValid = (message: string) => refused(`One or more parameter values are not valid. ${message}`)
const put = (TableName: string, Item: Input) => send('PutItem', { TableName, Item })
const nothing = new Uint8Array()

describe('a value', () => {
  test.each([
    ['an empty set of texts', { SS: [] }, 'An string set  may not be empty'],
    ['an empty set of numbers', { NS: [] }, 'An number set  may not be empty'],
    ['an empty set of bytes', { BS: [] }, 'Binary sets should not be empty'],
    ['an empty set in a map', { M: { a: { SS: [] } } }, 'An string set  may not be empty'],
    ['an empty set in a list', { L: [{ SS: [] }] }, 'An string set  may not be empty'],
    ['a text twice in a set', { SS: ['a', 'a'] }, 'Input collection [a, a] contains duplicates.'],
    ['a null that is false', { NULL: false }, 'Null attribute value types must have the value of true'],
  ])('that is %s is rejected', async (_, value, message) => {
    expect(await put('plain', { pk: { S: 'a' }, value })).toEqual(invalid(message))
  })

  test.each([
    [
      '39 digits',
      '123456789012345678901234567890123456789',
      'Attempting to store more than 38 significant digits in a Number',
    ],
    [
      'a magnitude of 126',
      '1E+126',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    ],
    [
      'a negative one of 126',
      '-1E+126',
      'Number overflow. Attempting to store a number with magnitude larger than supported range',
    ],
    [
      'a magnitude of -131',
      '1E-131',
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    ],
  ])('that is a number with %s is rejected', async (_, N, message) => {
    expect(await put('plain', { pk: { S: 'a' }, value: { N } })).toEqual(refused(message))
  })

  test.each([
    ['00042', '42'],
    ['3.1400', '3.14'],
    ['1.5E2', '150'],
    ['-0', '0'],
    ['1E125', `1${'0'.repeat(125)}`],
    ['1E-130', `0.${'0'.repeat(129)}1`],
  ])('that is the number %s is read back as %s', async (N, read) => {
    await put('plain', { pk: { S: 'number' }, value: { N } })
    const input = { TableName: 'plain', Key: { pk: { S: 'number' } }, ProjectionExpression: 'value' }
    const named = { ...input, ProjectionExpression: '#v', ExpressionAttributeNames: { '#v': 'value' } }
    expect(await send('GetItem', named)).toEqual({ status: 200, Item: { value: { N: read } } })
  })

  test('can be an empty string or no bytes unless it is a key', async () => {
    const Item = { pk: { S: 'empty' }, text: { S: '' }, bytes: { B: nothing }, list: { L: [{ S: '' }] } }
    expect(await put('plain', Item)).toEqual({ status: 200 })
    expect(await send('GetItem', { TableName: 'plain', Key: { pk: Item.pk } })).toEqual({ status: 200, Item })
  })
})

describe('a key', () => {
  const emptyText = 'The AttributeValue for a key attribute cannot contain an empty string value'
  const emptyBytes = 'The AttributeValue for a key attribute cannot contain an empty binary value'
  const missing = refused('The provided key element does not match the schema')

  test.each([
    ['an item without it', 'plain', { a: { S: 'x' } }, invalid('Missing the key pk in the item')],
    ['an item without its sort key', 'paired', { pk: { S: 'x' } }, invalid('Missing the key sk in the item')],
    [
      'an item with a number for it',
      'plain',
      { pk: { N: '1' } },
      invalid('Type mismatch for key pk expected: S actual: N'),
    ],
    ['an item with nothing for it', 'plain', { pk: { S: '' } }, notValid(`${emptyText}. Key: pk`)],
    [
      'an item with no bytes for it',
      'binary',
      { pk: { S: 'a' }, sk: { B: nothing } },
      notValid(`${emptyBytes}. Key: sk`),
    ],
    [
      'an item with a number for that of an index',
      'paired',
      { pk: { S: 'a' }, sk: { S: 'a' }, g: { N: '1' } },
      invalid('Type mismatch for Index Key g Expected: S Actual: N IndexName: all'),
    ],
    [
      'an item with nothing for that of an index',
      'paired',
      { pk: { S: 'a' }, sk: { S: 'a' }, g: { S: '' } },
      notValid(
        `A value specified for a secondary index key is not supported. ${emptyText}. IndexName: all, IndexKey: g`,
      ),
    ],
  ])('is required: %s is rejected', async (_, table, item, answer) => {
    expect(await put(table, item)).toEqual(answer)
  })

  test.each([
    ['without its sort key', { pk: { S: 'a' } }],
    ['with another attribute', { pk: { S: 'a' }, sk: { S: 'a' }, a: { S: 'a' } }],
    ['of another type', { pk: { S: 'a' }, sk: { N: '1' } }],
  ])('%s does not match', async (_, Key) => {
    for (const operation of ['GetItem', 'DeleteItem', 'UpdateItem']) {
      expect(await send(operation, { TableName: 'paired', Key })).toEqual(missing)
    }
  })

  test('cannot be an empty string in a lookup', async () => {
    for (const operation of ['GetItem', 'DeleteItem', 'UpdateItem']) {
      const Key = { pk: { S: '' } }
      expect(await send(operation, { TableName: 'plain', Key })).toEqual(notValid(`${emptyText}. Key: pk`))
    }
  })

  test.each(['pk', 'sk'])('is not changed by an update of %s', async (name) => {
    const input = {
      TableName: 'paired',
      Key: { pk: { S: 'a' }, sk: { S: 'a' } },
      UpdateExpression: `SET ${name} = :v`,
      ExpressionAttributeValues: { ':v': { S: 'b' } },
    }
    expect(await send('UpdateItem', input)).toEqual(
      invalid(`Cannot update attribute ${name}. This attribute is part of the key`),
    )
  })
})

// Measured by putting items of just 400 KB and of one byte more (numberByteSize.test.ts there, 2026-08-18).
describe('the size of an item', () => {
  const maxBytes = 409_600
  const sized = (N: string, numberBytes: number, bytes: number) => {
    const padding = bytes - Buffer.byteLength('pk' + 'size' + 'n' + 'p') - numberBytes
    return { pk: { S: 'size' }, n: { N }, p: { S: 'x'.repeat(padding) } }
  }
  const tooLarge = refused('Item size has exceeded the maximum allowed size')

  test.each([
    ['0', 1],
    ['-0', 1],
    ['1', 2],
    ['12', 2],
    ['123', 3],
    ['12345678901234567890123456789012345678', 20],
    ['0042', 2],
    ['1010', 3],
    ['0.0000001', 2],
    ['1E125', 2],
    ['1.5', 3],
    ['3.14159', 5],
    ['123456', 4],
    ['100.5', 4],
    ['0.15', 2],
    ['-42', 3],
  ])('counts the number %s as %d bytes', async (number, bytes) => {
    expect(await put('plain', sized(number, bytes, maxBytes))).toEqual({ status: 200 })
    expect(await put('plain', sized(number, bytes, maxBytes + 1))).toEqual(tooLarge)
  })

  test('is rejected after an update with another message', async () => {
    const input = {
      TableName: 'plain',
      Key: { pk: { S: 'grown' } },
      UpdateExpression: 'SET p = :p',
      ExpressionAttributeValues: { ':p': { S: 'x'.repeat(maxBytes) } },
    }
    expect(await send('UpdateItem', input)).toEqual(
      refused('Item size to update has exceeded the maximum allowed size'),
    )
  })
})

describe('a batch', () => {
  const Key = { pk: { S: 'a' } }
  const keys = (count: number) => Array.from({ length: count }, (_, at) => ({ pk: { S: `k${at}` } }))
  const atMost = (count: number) => `Member must have length less than or equal to ${count}`

  test.each([
    ['BatchGetItem', {}, refused('The requestItems parameter is required for BatchGetItem')],
    ['BatchWriteItem', {}, refused('The requestItems parameter is required for BatchWriteItem')],
    [
      'BatchGetItem',
      { plain: { Keys: keys(101) } },
      refused(
        `1 validation error detected: Value at 'RequestItems.plain.member.Keys' failed to satisfy constraint: ${atMost(100)}`,
      ),
    ],
    [
      'BatchWriteItem',
      { plain: keys(26).map((Item) => ({ PutRequest: { Item } })) },
      refused(
        `1 validation error detected: ${constraint("'{plain=[26 members]}'", 'requestItems', `Map value must satisfy constraint: [${atMost(25)}, Member must have length greater than or equal to 1]`)}`,
      ),
    ],
    ['BatchGetItem', { plain: { Keys: [Key, Key] } }, refused('Provided list of item keys contains duplicates')],
    [
      'BatchWriteItem',
      { plain: [{ PutRequest: { Item: Key } }, { DeleteRequest: { Key } }] },
      refused('Provided list of item keys contains duplicates'),
    ],
    ['BatchGetItem', { none: { Keys: [Key] } }, refused('Requested resource not found', 'ResourceNotFoundException')],
    [
      'BatchWriteItem',
      { none: [{ PutRequest: { Item: Key } }] },
      refused('Requested resource not found', 'ResourceNotFoundException'),
    ],
  ])('%s rejects %j', async (operation, RequestItems, answer) => {
    expect(await send(operation, { RequestItems })).toEqual(answer)
  })
})
