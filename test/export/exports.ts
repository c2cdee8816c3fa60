import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { type Client, client } from '../../functions/client.ts'
import { bucketClient } from '../../shared/aws/bucket.ts'
import { exportsPrefix } from '../../shared/resources.ts'
import type { Kit } from '../support/start.ts'

/** The API of a workspace with the session of the seed's person. */
export const apiOf = (kit: Kit, workspaceId = kit.workspaceId): Client =>
  client({ baseUrl: kit.url, token: kit.sessionToken, workspaceId })

/** Requests an export and lets the service make it; returns its id. */
export const exportOnce = async (kit: Kit, workspaceId = kit.workspaceId): Promise<string> => {
  const { exportId } = await apiOf(kit, workspaceId).workspaces.export({ params: { id: workspaceId } })
  await kit.service.drain()
  return exportId
}

/** The URL of a new download link. */
export const linkOf = async (kit: Kit, exportId: string, workspaceId = kit.workspaceId): Promise<string> => {
  const params = { id: workspaceId, exportId }
  return (await apiOf(kit, workspaceId).workspaces.createExportLink({ params })).url
}

/** The archive of a completed export, downloaded as its owner does. */
export const download = async (kit: Kit, exportId: string, workspaceId = kit.workspaceId): Promise<Buffer> => {
  const url = new URL(await linkOf(kit, exportId, workspaceId))
  const answer = await fetch(`${kit.url}${url.pathname}${url.search}`)
  if (!answer.ok) throw new Error(`the download answered ${answer.status}: ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** What is on S3 of exports: files, and uploads that are neither completed nor aborted. */
export const leftOf = async ({ ctx }: Pick<Kit, 'ctx'>, workspaceId = ''): Promise<string[]> => {
  const below = { Bucket: ctx.env('MEDIA_BUCKET'), Prefix: `${exportsPrefix}${workspaceId}` }
  const { Contents = [] } = await bucketClient(ctx).send(new ListObjectsV2Command(below))
  const { Uploads = [] } = await bucketClient(ctx).send(new ListMultipartUploadsCommand(below))
  return [...Contents.map(({ Key = '' }) => Key), ...Uploads.map(({ Key = '' }) => `upload of ${Key}`)]
}
