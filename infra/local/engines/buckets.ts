import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { CorsRule } from '../template/stores.ts'
import type { Credentials } from './buckets/authenticate.ts'
import { addBucket } from './buckets/bucket-operations.ts'
import { folderBackend } from './buckets/folder-backend.ts'
import { type BucketGuard, openToAll } from './buckets/guard.ts'
import { memoryBackend } from './buckets/memory-backend.ts'
import type { BucketEvent, StoredObject } from './buckets/records.ts'
import { type BucketSite, serve } from './buckets/serve.ts'
import { openStore } from './buckets/store.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { listen } from './listen.ts'

export interface BucketsOptions extends Omit<EngineOptions, 'guard'> {
  credentials: Credentials
  /** Without it, any caller may do everything with a valid signature. */
  guard?: BucketGuard
  onChange?(event: BucketEvent): void
}

export interface Buckets extends Engine {
  /** Creates the bucket unless it exists; given rules replace the existing ones. */
  create(name: string, cors?: CorsRule[]): void
  /** The objects of a bucket; none when there is no such bucket. */
  list(bucket: string): StoredObject[]
  find(bucket: string, key: string): StoredObject | undefined
  read(bucket: string, key: string): Promise<Buffer | undefined>
  /** The bytes of an object just found, both ends inclusive. */
  stream(object: StoredObject, start: number, end: number): Readable
  /** Handles the requests of a host that stands for one bucket. */
  listenerOf(site: BucketSite): RequestListener
}

/** Starts the S3 stand-in: path style on 127.0.0.1, every request verified with SigV4; with a folder it survives a kill. */
export async function startBuckets(options: BucketsOptions): Promise<Buckets> {
  const { clock, folder, isDurable, credentials, onChange, guard = openToAll } = options
  const store = openStore(folder === undefined ? memoryBackend() : folderBackend(join(folder, 'buckets'), isDurable))
  const now = () => clock.now()
  const notify = (event: BucketEvent) => onChange?.(event)
  const listenerOf =
    (site?: BucketSite): RequestListener =>
    (incoming, outgoing) =>
      void serve({ store, credentials, now, notify, guard, site }, incoming, outgoing)
  const engine = await listen(options.port ?? 0, listenerOf())
  const stream = ({ blob }: StoredObject, start: number, end: number) => store.backend.read(blob, start, end)
  const find = (bucket: string, key: string) => store.buckets.get(bucket)?.objects.get(key)
  return {
    ...engine,
    create(name, cors) {
      const bucket = store.buckets.get(name) ?? addBucket(store, name, cors)
      if (cors) store.saveBucket({ ...bucket, cors })
    },
    list: (bucket) => [...(store.buckets.get(bucket)?.objects.values() ?? [])],
    find,
    async read(bucket, key) {
      const object = find(bucket, key)
      return object && buffer(stream(object, 0, object.size - 1))
    },
    stream,
    listenerOf,
  }
}
