import type { Access } from '../access.ts'
import { mapped } from '../guard.ts'

/** A request to a bucket, with the parts that IAM needs. */
export interface BucketRequest {
  bucket: string
  key: string
  query(name: string): string | undefined
  input(name: string): string | undefined
}

const bucketArn = (bucket: string) => `arn:aws:s3:::${bucket}`

export const onObject = (action: string, bucket: string, key: string): Access => ({
  action: `s3:${action}`,
  resource: `${bucketArn(bucket)}/${key}`,
})

const ofBucket =
  (action: string) =>
  ({ bucket }: BucketRequest): Access[] => [{ action: `s3:${action}`, resource: bucketArn(bucket) }]

const ofObject =
  (action: string) =>
  ({ bucket, key }: BucketRequest): Access[] => [onObject(action, bucket, key)]

/** The object that a copy reads. */
const sourceOf = ({ input }: BucketRequest): Access => {
  const [bucket = '', ...key] = decodeURIComponent(input('x-amz-copy-source') ?? '')
    .replace(/^\//, '')
    .split('/')
  return onObject('GetObject', bucket, key.join('/'))
}

const copy = (request: BucketRequest): Access[] => [sourceOf(request), ...ofObject('PutObject')(request)]

const list = ({ bucket, query }: BucketRequest): Access[] => {
  const prefix = query('prefix')
  const context = prefix === undefined ? {} : { context: { 's3:prefix': [prefix] } }
  return [{ action: 's3:ListBucket', resource: bucketArn(bucket), ...context }]
}

/** S3 does not reveal missing objects to a caller that may not list the bucket (API reference, GetObject, "Permissions"). */
export const listingOf = (bucket: string): Access => ({ action: 's3:ListBucket', resource: bucketArn(bucket) })

/** The rights that each operation requires (S3 guide, "Required permissions for Amazon S3 API operations"). */
const operations: Readonly<Record<string, (request: BucketRequest) => Access[]>> = {
  'PUT bucket': ofBucket('CreateBucket'),
  'HEAD bucket': ofBucket('ListBucket'),
  'DELETE bucket': ofBucket('DeleteBucket'),
  'GET bucket': list,
  'GET bucket uploads': ofBucket('ListBucketMultipartUploads'),
  // Each key is looked at by itself, and refused by itself.
  'POST bucket delete': () => [],
  'PUT object': ofObject('PutObject'),
  'PUT object copy': copy,
  'GET object': ofObject('GetObject'),
  'HEAD object': ofObject('GetObject'),
  'DELETE object': ofObject('DeleteObject'),
  'POST object uploads': ofObject('PutObject'),
  'PUT object uploadId': ofObject('PutObject'),
  'PUT object uploadId copy': copy,
  'POST object uploadId': ofObject('PutObject'),
  'DELETE object uploadId': ofObject('AbortMultipartUpload'),
}

/** What S3 asks IAM for. */
export const s3Accesses = (operation: string, request: BucketRequest): Access[] =>
  mapped(operations, 'S3', operation)(request)
