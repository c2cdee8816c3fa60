import { expect, test } from 'vitest'
import { type Call, key, perform, TableName } from './limits/calls.ts'
import { limits } from './limits/limits.ts'
import { useTable } from './limits/table.ts'

const client = useTable()

test.each(limits)('$name, and no more', async ({ given = [], within, beyond, expectedError }) => {
  for (const call of given) expect(await perform(client(), call)).toMatchObject({ name: 'ok' })
  expect(['ok', 'ConditionalCheckFailedException']).toContain((await perform(client(), within)).name)
  const { name, message } = await perform(client(), beyond)
  expect(name).toMatch(/^Validation(?:Exception|Error)$/)
  expect(message).toMatch(expectedError)
})

const large = (SK: string) => ({ ...key('large', SK), t: { S: 'x'.repeat(399 * 1024) } })

/** Items of 16.8 MB. */
const fill = async () => {
  const names = Array.from({ length: 43 }, (_, at) => `${at}`.padStart(2, '0'))
  for (const SK of names) await perform(client(), ['PutItem', { TableName, Item: large(SK) }])
  return names
}

test('a page ends with the item that crosses 1 MB; a batch read returns 16 MB and leaves the rest', async () => {
  const names = await fill()
  const pages: Call = [
    'Query',
    { TableName, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': { S: 'large' } } },
  ]
  const { answer: page } = await perform(client(), pages)
  expect(page).toMatchObject({ Count: 3, LastEvaluatedKey: key('large', '02') })
  const Keys = names.map((SK) => key('large', SK))
  const { answer: batch } = await perform(client(), ['BatchGetItem', { RequestItems: { [TableName]: { Keys } } }])
  const responses = batch?.['Responses'] as Record<string, unknown[]>
  expect(responses[TableName]).toHaveLength(41)
  expect(batch?.['UnprocessedKeys']).toEqual({ [TableName]: { Keys: Keys.slice(41) } })
})
