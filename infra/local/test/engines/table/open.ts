import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { onTestFinished } from 'vitest'
import { random62 } from '../../../../../shared/ids.ts'
import { virtualClock } from '../../../../../test/support/clock.ts'
import { startTable } from '../../../engines/table.ts'

export const TableName = 'things'
/** The index of the table, by `g` and `n`. */
export const IndexName = 'by-n'

const plan = {
  TableName,
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
      IndexName,
      KeySchema: [
        { AttributeName: 'g', KeyType: 'HASH' },
        { AttributeName: 'n', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
} as const

type Switches = Omit<Parameters<typeof startTable>[0], 'clock'>

/** An embedded table with one empty table and its clock, which stands still; ends with the test, or when it is closed. */
export const open = async (switches: Switches = {}) => {
  const clock = virtualClock(Date.UTC(2030, 0, 1))
  const engine = await startTable({ clock, ...switches })
  const credentials = { accessKeyId: random62(20), secretAccessKey: 'local' }
  // What the engine refuses once, a test wants to see.
  const client = new DynamoDBClient({ endpoint: engine.url, region: 'us-east-1', credentials, maxAttempts: 1 })
  const create = async () => {
    await client.send(new CreateTableCommand(plan as never))
  }
  let closing: Promise<void> | undefined
  const close = () => {
    client.destroy()
    closing ??= engine.close()
    return closing
  }
  onTestFinished(close)
  await create()
  return { client, clock, create, close }
}

/** A key of the table. */
export const key = (PK: string, SK = 'a') => ({ PK: { S: PK }, SK: { S: SK } })
