import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { makeClient } from '../../shared/aws/client.ts'
import type { Context } from '../../shared/context.ts'
import { presumeSentSince } from '../../shared/posts/after-restore.ts'
import { Stop } from '../local/stop.ts'

/**
 * The time that the table was restored to, in ms, as DynamoDB says (RestoreSummary of DescribeTable, API version 2012-08-10).
 * Throws a Stop for a table that was not restored.
 */
export const readRestoreTime = async (ctx: Context): Promise<number> => {
  const TableName = ctx.env('TABLE_NAME')
  const { Table } = await makeClient(ctx, DynamoDBClient, {}).send(new DescribeTableCommand({ TableName }))
  const restoredTo = Table?.RestoreSummary?.RestoreDateTime
  if (restoredTo === undefined)
    throw new Stop(`DynamoDB did not restore the table ${TableName}: it is not a copy of another one.`)
  return restoredTo.getTime()
}

/** What follows a restore of the table to a time, in ms. */
export const settleRestore = async (ctx: Context, restoredToMs: number): Promise<string> => {
  const counts = [...(await presumeSentSince(ctx, restoredToMs))]
  const next = 'The table may be used now: end the pause of the deployment if there is one.'
  if (counts.length === 0)
    return `No post waits that was accepted before ${new Date(restoredToMs).toISOString()}. ${next}`
  const list = counts.map(([platform, count]) => `${platform} ${count}`).join(', ')
  return `These posts may have been published since ${new Date(restoredToMs).toISOString()} and are looked up at their platforms before they are sent: ${list}. ${next}`
}
