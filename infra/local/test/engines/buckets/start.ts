import { randomUUID } from 'node:crypto'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3'
import { expect } from 'vitest'
import { type Buckets, type BucketsOptions, startBuckets } from '../../../engines/buckets.ts'

/** With CONFORMANCE_AWS=1 the same cases run against the account and region of the environment. */
export const onAws = process.env['CONFORMANCE_AWS'] === '1'

export const credentials = { accessKeyId: 'LOCALKEY', secretAccessKey: 'local-secret' }

export interface TestBucket {
  client: S3Client
  bucket: string
  /** Another client of the same bucket, with other settings. */
  connect(settings?: S3ClientConfig): S3Client
  close(): Promise<void>
}

/** One empty bucket to test in; on AWS it is emptied and removed at the end. */
export async function startTestBucket(): Promise<TestBucket> {
  const engine = onAws ? undefined : await startEngine()
  const connect = (settings: S3ClientConfig = {}) =>
    engine ? connectTo(engine.buckets, settings) : new S3Client(settings)
  const client = connect()
  const bucket = `conformance-${randomUUID()}`
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  return {
    client,
    bucket,
    connect,
    async close() {
      if (onAws) await removeBucket(client, bucket)
      client.destroy()
      await engine?.buckets.close()
    },
  }
}

/** The engine alone, with a clock that moves with the machine's and can be pushed. */
export async function startEngine(options: Partial<BucketsOptions> = {}) {
  let offsetMs = 0
  const clock = { now: () => Date.now() + offsetMs }
  const buckets = await startBuckets({ clock, credentials, ...options })
  const pass = (milliseconds: number) => {
    offsetMs += milliseconds
  }
  return { buckets, clock, pass }
}

export function connectTo({ url }: Pick<Buckets, 'url'>, settings: S3ClientConfig = {}): S3Client {
  return new S3Client({ endpoint: url, region: 'eu-central-1', credentials, forcePathStyle: true, ...settings })
}

async function removeBucket(client: S3Client, bucket: string): Promise<void> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
  const Objects = Contents.map(({ Key }) => ({ Key }))
  if (Objects.length > 0) await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }))
  await client.send(new DeleteBucketCommand({ Bucket: bucket }))
}

/** Expects an answer without the SDK to be a refusal with this status and code. */
export async function expectRefusal(response: Response, status: number, code: string): Promise<void> {
  const body = await response.text()
  expect([response.status, /<Code>(\w+)<\/Code>/.exec(body)?.[1]]).toEqual([status, code])
}
