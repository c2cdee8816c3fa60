import type { CorsRule } from '../../template/stores.ts'
import type { Answer, Call } from './call.ts'
import { S3Error } from './error.ts'
import type { Bucket } from './records.ts'
import type { Store } from './store.ts'

/** Creates a bucket, which must not exist yet. */
export function addBucket(store: Store, name: string, cors: CorsRule[] = []): Bucket {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) || name.includes('..')) {
    throw new S3Error('InvalidBucketName', 'This is no name for a bucket.', { BucketName: name })
  }
  const bucket = { name, cors, objects: new Map(), uploads: new Map() }
  store.saveBucket(bucket)
  return bucket
}

export function createBucket({ store, bucket }: Call): Answer {
  if (store.buckets.has(bucket)) {
    throw new S3Error('BucketAlreadyOwnedByYou', 'You have this bucket already.', { BucketName: bucket })
  }
  addBucket(store, bucket)
  return { status: 200, headers: { location: `/${bucket}` } }
}

export function headBucket({ store, bucket, proof }: Call): Answer {
  store.bucket(bucket)
  return { status: 200, headers: { 'x-amz-bucket-region': proof.scope.region } }
}

export function deleteBucket({ store, bucket: name }: Call): Answer {
  const bucket = store.bucket(name)
  if (bucket.objects.size > 0) throw new S3Error('BucketNotEmpty', 'The bucket still has objects.')
  store.removeBucket(bucket)
  return { status: 204 }
}
