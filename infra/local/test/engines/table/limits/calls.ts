import { Agent } from 'node:http'
import { DynamoDB, DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { random62 } from '../../../../../../shared/ids.ts'

/** An operation by its name, and its input. */
export type Call = readonly [operation: string, input: object]

/** How a request ended: with an answer, or with the name and the message of its error or of its first reason. */
export interface Outcome {
  name: string
  message: string
  answer?: Record<string, unknown>
}

/** A client that never repeats a request. Without `keepAlive`, no request meets a connection that the server closes. */
export const connect = (endpoint: string, keepAlive = true): DynamoDB => {
  const credentials = { accessKeyId: random62(20), secretAccessKey: 'local' }
  const requestHandler = { httpAgent: new Agent({ keepAlive }) }
  return new DynamoDB({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1, requestHandler })
}

const ended = (error: unknown): Outcome => {
  if (!(error instanceof DynamoDBServiceException)) throw error
  const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : []
  const reason = reasons.find(({ Code }) => Code !== 'None')
  return { name: reason?.Code ?? error.name, message: reason?.Message ?? error.message }
}

type Method = (input: object) => Promise<Record<string, unknown>>

export const perform = (client: DynamoDB, [operation, input]: Call): Promise<Outcome> => {
  // Inputs are made too large on purpose, so their types are not those of the SDK.
  const methods = client as unknown as Record<string, Method>
  const method = methods[`${operation.slice(0, 1).toLowerCase()}${operation.slice(1)}`]
  if (method === undefined) throw new Error(`The SDK has no ${operation}.`)
  return method.call(client, input).then((answer) => ({ name: 'ok', message: '', answer }), ended)
}

export const TableName = 'limits'

export const createTable: Call = [
  'CreateTable',
  {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: ['PK', 'SK', 'g', 'h'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-g',
        KeySchema: [
          { AttributeName: 'g', KeyType: 'HASH' },
          { AttributeName: 'h', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  },
]

export const key = (PK: string, SK = 'a') => ({ PK: { S: PK }, SK: { S: SK } })
