import type { DynamoDB } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll } from 'vitest'
import type { Engine } from '../../../../engines/engine.ts'
import { startTable } from '../../../../engines/table.ts'
import { connect, createTable, perform } from './calls.ts'

/** An embedded table with the one table of these tests, for all tests of a file; returns what answers its client. */
export const useTable = (): (() => DynamoDB) => {
  let engine: Engine
  let client: DynamoDB
  beforeAll(async () => {
    engine = await startTable({ clock: { now: () => Date.UTC(2030, 0, 1) } })
    client = connect(engine.url)
    await perform(client, createTable)
  })
  afterAll(async () => {
    client.destroy()
    await engine.close()
  })
  return () => client
}
