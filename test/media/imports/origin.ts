import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { bucketClient } from '../../../shared/aws/bucket.ts'
import { type Kit, type StartOptions, start } from '../../support/start.ts'

/** A picture of 4 by 4 pixels. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAAEklEQVR42mNISfn/HxkzkC4AANHvLGH++E1oAAAAAElFTkSuQmCC',
  'base64',
)

/** A server of files on loopback. */
export interface Origin {
  server: Server
  origin: string
  /** The paths that were requested. */
  requested: string[]
  answers: Map<string, RequestListener>
  close(): void
}

/** Starts a server. A path without its own answer has the pixel. */
export const startOrigin = async (): Promise<Origin> => {
  const answers: Origin['answers'] = new Map()
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(request.url ?? '')
    const answer = answers.get(new URL(request.url ?? '', 'http://origin').pathname)
    if (answer) return answer(request, response)
    response.writeHead(200, { 'content-type': 'image/png' }).end(pixel)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { server, origin, requested, answers, close }
}

/** A service, and an origin from which it fetches as local configurations may. */
export interface ImportFixture extends Omit<Origin, 'close'> {
  kit: Kit
  close(): Promise<void>
}

export const startImportFixture = async (options: StartOptions = {}): Promise<ImportFixture> => {
  const { close: stop, ...files } = await startOrigin()
  const kit = await start({ ...options, allowedOrigins: [files.origin] })
  const close = async () => {
    await kit.close()
    stop()
  }
  return { kit, ...files, close }
}

/** What the bucket holds of uploads and files: keys, and parts of files that were never completed. */
export const filesIn = async ({ ctx }: Kit): Promise<string[]> => {
  const Bucket = ctx.env('MEDIA_BUCKET')
  const { Contents = [] } = await bucketClient(ctx).send(new ListObjectsV2Command({ Bucket }))
  const { Uploads = [] } = await bucketClient(ctx).send(new ListMultipartUploadsCommand({ Bucket }))
  return [...Contents.map(({ Key = '' }) => Key), ...Uploads.map(({ Key = '' }) => `upload of ${Key}`)]
}

export const imported = (kit: Kit, id: string) => kit.api.posts.get({ params: { id } })
