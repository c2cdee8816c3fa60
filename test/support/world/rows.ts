import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Item } from '../../../shared/db/table.ts'
import type { Kit } from '../start.ts'

/** Every row of the table, as no part of the service ever reads it. */
export const scanTable = async (kit: Pick<Kit, 'ctx'>): Promise<Item[]> => {
  const pages = paginateScan({ client: new DynamoDBClient({}) }, { TableName: kit.ctx.env('TABLE_NAME') })
  const rows: Item[] = []
  for await (const page of pages) rows.push(...(page.Items ?? []).map((item) => unmarshall(item)))
  return rows
}
