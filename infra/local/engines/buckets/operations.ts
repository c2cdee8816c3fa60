import { createBucket, deleteBucket, headBucket } from './bucket-operations.ts'
import type { Answer, Call } from './call.ts'
import { completeUpload } from './complete-upload.ts'
import { copyObject } from './copy-object.ts'
import { deleteObject, deleteObjects } from './delete-objects.ts'
import { S3Error } from './error.ts'
import { listObjects } from './list-objects.ts'
import { listUploads } from './list-uploads.ts'
import { abortUpload, createUpload, uploadPart } from './multipart.ts'
import { uploadPartCopy } from './part-copy.ts'
import { putObject } from './put-object.ts'
import { readObject } from './read-object.ts'

type Operation = (call: Call) => Answer | Promise<Answer>

const operations: Record<string, Operation> = {
  'PUT bucket': createBucket,
  'HEAD bucket': headBucket,
  'DELETE bucket': deleteBucket,
  'GET bucket': listObjects,
  'GET bucket uploads': listUploads,
  'POST bucket delete': deleteObjects,
  'PUT object': putObject,
  'PUT object copy': copyObject,
  'GET object': readObject,
  'HEAD object': readObject,
  'DELETE object': deleteObject,
  'POST object uploads': createUpload,
  'PUT object uploadId': uploadPart,
  'PUT object uploadId copy': uploadPartCopy,
  'POST object uploadId': completeUpload,
  'DELETE object uploadId': abortUpload,
}

/** Query parameters that name a subresource instead of the bucket or object; the rest are arguments. */
const subresources = [
  ...['acl', 'attributes', 'cors', 'delete', 'encryption', 'legal-hold', 'lifecycle', 'location', 'logging'],
  ...['notification', 'object-lock', 'ownershipControls', 'policy', 'policyStatus', 'publicAccessBlock', 'replication'],
  ...['restore', 'retention', 'tagging', 'torrent', 'uploadId', 'uploads', 'versionId', 'versioning', 'versions'],
  'website',
]

/** Names the operation of a request, for example `PUT object copy`. */
export function nameOperation(call: Call): string {
  const level = call.bucket === '' ? 'service' : call.key === '' ? 'bucket' : 'object'
  const requested = subresources.filter((name) => call.query(name) !== undefined)
  const copy = call.method === 'PUT' && call.input('x-amz-copy-source') !== undefined ? ['copy'] : []
  return [call.method, level, ...requested, ...copy].join(' ')
}

/** Finds an operation by its name; an operation that this engine does not know is NotImplemented, never a wrong response. */
export function findOperation(name: string): Operation {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (!operation) throw new S3Error('NotImplemented', `The operation "${name}" is not implemented here.`)
  return operation
}
