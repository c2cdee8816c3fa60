import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import * as z from 'zod/mini'
import { makeClient } from '../../../shared/aws/client.ts'
import type { Context } from '../../../shared/context.ts'
import { presumeSentSince, type Witnesses } from '../../../shared/posts/after-restore.ts'
import { Stop } from '../../local/stop.ts'

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

/** A line of the log about a call that has published a post (shared/posts/publishing/attempt-log.ts). */
const PublishedLine = z.object({
  message: z.literal('attempt ended'),
  state: z.literal('confirmed'),
  postId: z.string(),
  platformId: z.optional(z.string()),
  url: z.optional(z.nullable(z.string())),
})

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The posts that were published, from lines of the workers' log group: one in each line of the text, or strings of a JSON
 * array, as the AWS CLI prints them. Throws a Stop if there is none.
 */
export const witnessesIn = (text: string): Witnesses => {
  const array = z.safeParse(z.array(z.string()), readJson(text))
  const lines = array.success ? array.data : text.split('\n')
  const published = lines.flatMap((line) => z.safeParse(PublishedLine, readJson(line)).data ?? [])
  if (published.length === 0) throw new Stop('The log has no line "attempt ended" of a post that was published.')
  return new Map(published.map(({ postId, platformId: id = null, url = null }) => [postId, { id, url }]))
}

/** The steps after a restore of the table to a time, in ms. */
export const settleRestore = async (
  ctx: Context,
  restoredToMs: number,
  witnesses: Witnesses = new Map(),
): Promise<string> => {
  const counts = [...(await presumeSentSince(ctx, restoredToMs, witnesses))]
  if (counts.length === 0) return `No post waits that was accepted before ${new Date(restoredToMs).toISOString()}.`
  const list = counts.map(([platform, count]) => `${platform} ${count}`).join(', ')
  return `These posts may have been published since ${new Date(restoredToMs).toISOString()} and are looked up, in the log if you gave it, or at their platforms, before they are sent: ${list}.`
}
