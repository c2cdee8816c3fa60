import { DynamoDB, DynamoDBServiceException } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll } from 'vitest'
import type { Engine } from '../../../../engines/engine.ts'
import { startTable } from '../../../../engines/table.ts'

/*
 * The tests of this folder hold what DynamoDB itself answered, as recorded by github.com/nubo-db/dynamodb-conformance (MIT;
 * at 0ba4393 of 2026-05-14, and where a comment says so, later). DynamoDB Local answers many of them in other words.
 */

/** By its own name: HASH key `pk`; with `sk`: RANGE key of that type. `paired` has all kinds of indexes. */
const tables = {
  plain: { TableName: 'plain', sk: undefined },
  paired: { TableName: 'paired', sk: 'S' },
  numbered: { TableName: 'numbered', sk: 'N' },
  binary: { TableName: 'binary', sk: 'B' },
} as const

const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' })
const range = (AttributeName: string) => ({ AttributeName, KeyType: 'RANGE' })

const indexes = [
  { IndexName: 'all', KeySchema: [hash('g')], Projection: { ProjectionType: 'ALL' } },
  {
    IndexName: 'some',
    KeySchema: [hash('g'), range('r')],
    Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['held'] },
  },
  { IndexName: 'keys', KeySchema: [hash('g'), range('r')], Projection: { ProjectionType: 'KEYS_ONLY' } },
]

const planOf = ({ TableName, sk }: (typeof tables)[keyof typeof tables]) => ({
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [hash('pk'), ...(sk === undefined ? [] : [range('sk')])],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    ...(sk === undefined ? [] : [{ AttributeName: 'sk', AttributeType: sk }]),
    ...(sk === 'S' ? ['g', 'r'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })) : []),
  ],
  ...(sk === 'S' ? { GlobalSecondaryIndexes: indexes } : {}),
})

export type Input = Record<string, unknown>

/** An answer with its status; of an exception its name, its message, and the reasons of a cancelled transaction. */
export type Answer = Input & { status: number | undefined }

type Method = (input: Input) => Promise<Input & { $metadata: { httpStatusCode?: number } }>

/** One embedded table for the tests of a file, with the tables above; its answers are as the SDK's client reads them. */
export const useEngine = () => {
  let engine: Engine
  let client: DynamoDB

  const send = async (operation: string, input: Input): Promise<Answer> => {
    // Inputs are made wrong on purpose, so their types are not those of the SDK.
    const methods = client as unknown as Record<string, Method>
    const method = `${operation.slice(0, 1).toLowerCase()}${operation.slice(1)}`
    try {
      const answer = await methods[method]?.(input)
      if (answer === undefined) throw new Error(`The SDK has no ${method}.`)
      const { $metadata, ...rest } = answer
      return { status: $metadata.httpStatusCode, ...rest }
    } catch (error) {
      if (!(error instanceof DynamoDBServiceException)) throw error
      const { name, message, $metadata } = error
      const reasons = 'CancellationReasons' in error ? { reasons: error.CancellationReasons } : {}
      return { status: $metadata.httpStatusCode, name, message, ...reasons }
    }
  }

  beforeAll(async () => {
    engine = await startTable({ clock: { now: () => Date.UTC(2030, 0, 1) } })
    const credentials = { accessKeyId: 'recorded', secretAccessKey: 'local' }
    client = new DynamoDB({ endpoint: engine.url, region: 'us-east-1', credentials, maxAttempts: 1 })
    for (const table of Object.values(tables)) await send('CreateTable', planOf(table))
  })
  afterAll(async () => {
    client.destroy()
    await engine.close()
  })
  return send
}

/** What AWS answers to input that it refuses. */
export const refused = (message: string, name = 'ValidationException') => ({ status: 400, name, message })

/** A constraint that a value does not satisfy. */
export const constraint = (value: string, path: string, rule: string) =>
  `Value ${value} at '${path}' failed to satisfy constraint: ${rule}`
