import { sha256Hex } from '../../iam/signing.ts'
import type { Backend, StoredDocument } from './backend.ts'
import { S3Error } from './error.ts'
import type { Bucket, StoredObject, Upload } from './records.ts'

export interface Store {
  readonly backend: Backend
  readonly buckets: ReadonlyMap<string, Bucket>
  /** Rejects with NoSuchBucket. */
  bucket(name: string): Bucket
  saveBucket(bucket: Bucket): void
  removeBucket(bucket: Bucket): void
  saveObject(bucket: Bucket, object: StoredObject): void
  removeObject(bucket: Bucket, key: string): StoredObject | undefined
  saveUpload(bucket: Bucket, upload: Upload): void
  removeUpload(bucket: Bucket, upload: Upload): void
}

/** Keys become hashes in document names, so no key can be a path. */
function nameOf({ kind, bucket, value }: StoredDocument): string {
  if (kind === 'bucket') return `bucket.${bucket}`
  return kind === 'object' ? `object.${sha256Hex(`${bucket}/${value.key}`)}` : `upload.${value.id}`
}

function loadBuckets(backend: Backend): Map<string, Bucket> {
  const documents = backend.load()
  const buckets = new Map<string, Bucket>()
  for (const { kind, value } of documents) {
    if (kind === 'bucket') buckets.set(value.name, { ...value, objects: new Map(), uploads: new Map() })
  }
  const blobs = new Set<string>()
  for (const { kind, bucket, value } of documents) {
    const owner = buckets.get(bucket)
    if (!owner || kind === 'bucket') continue
    if (kind === 'object') owner.objects.set(value.key, value)
    else owner.uploads.set(value.id, value)
    for (const { blob } of kind === 'object' ? [value] : value.parts) blobs.add(blob)
  }
  backend.sweep(blobs)
  return buckets
}

/** The buckets and their objects: an index in memory, each change written through to the backend. */
export function openStore(backend: Backend): Store {
  const buckets = loadBuckets(backend)
  const save = (document: StoredDocument) => backend.save(nameOf(document), document)
  const forget = (document: StoredDocument) => backend.removeDocument(nameOf(document))

  function removeUpload(bucket: Bucket, upload: Upload): void {
    bucket.uploads.delete(upload.id)
    forget({ kind: 'upload', bucket: bucket.name, value: upload })
    for (const { blob } of upload.parts) backend.removeBlob(blob)
  }

  return {
    backend,
    buckets,
    bucket(name) {
      const bucket = buckets.get(name)
      if (!bucket) throw new S3Error('NoSuchBucket', 'This bucket does not exist.', { BucketName: name })
      return bucket
    },
    saveBucket(bucket) {
      const { name, cors } = bucket
      save({ kind: 'bucket', bucket: name, value: { name, cors } })
      buckets.set(name, bucket)
    },
    removeBucket(bucket) {
      for (const upload of bucket.uploads.values()) removeUpload(bucket, upload)
      forget({ kind: 'bucket', bucket: bucket.name, value: bucket })
      buckets.delete(bucket.name)
    },
    saveObject(bucket, object) {
      const before = bucket.objects.get(object.key)
      save({ kind: 'object', bucket: bucket.name, value: object })
      bucket.objects.set(object.key, object)
      if (before) backend.removeBlob(before.blob)
    },
    removeObject(bucket, key) {
      const before = bucket.objects.get(key)
      if (!before) return undefined
      forget({ kind: 'object', bucket: bucket.name, value: before })
      bucket.objects.delete(key)
      backend.removeBlob(before.blob)
      return before
    },
    saveUpload(bucket, upload) {
      save({ kind: 'upload', bucket: bucket.name, value: upload })
      bucket.uploads.set(upload.id, upload)
    },
    removeUpload,
  }
}
