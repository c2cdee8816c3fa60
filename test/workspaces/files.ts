import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { bucketClient } from '../../shared/aws/bucket.ts'
import type { Kit } from '../support/start.ts'

/** The keys of a workspace's files in the bucket. */
export const listFiles = async ({ ctx }: Pick<Kit, 'ctx'>, workspaceId: string): Promise<string[]> => {
  const command = new ListObjectsV2Command({ Bucket: ctx.env('MEDIA_BUCKET') })
  const { Contents = [] } = await bucketClient(ctx).send(command)
  return Contents.flatMap(({ Key = '' }) => (Key.includes(workspaceId) ? [Key] : []))
}
