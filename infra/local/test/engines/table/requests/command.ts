/** The operations that the service uses, and those that its local setup and its tests use. */
export type Operation =
  | 'PutItem'
  | 'DeleteItem'
  | 'UpdateItem'
  | 'GetItem'
  | 'Query'
  | 'Scan'
  | 'BatchGetItem'
  | 'BatchWriteItem'
  | 'TransactWriteItems'
  | 'CreateTable'
  | 'DescribeTable'
  | 'UpdateTimeToLive'

/** One request on the wire. */
export interface Command {
  operation: Operation
  input: Readonly<Record<string, unknown>>
  /** Read on from each `LastEvaluatedKey` to the end. */
  toTheEnd?: boolean
  /** The sort key of the index that is read: rows that share it have no order among them. */
  sort?: string
  /** Sent twice, as a client does whose answer got lost. */
  twice?: boolean
  /** Made wrong on purpose, in a way that a typed client does not offer. */
  broken?: boolean
}

export const tableName = 'oracle'
