import { onObject } from '../../iam/actions/s3.ts'
import { answerXml } from './answers.ts'
import type { Answer, Call } from './call.ts'
import { S3Error } from './error.ts'
import { readDocument } from './read-document.ts'
import { childrenOf, textOf } from './xml-read.ts'
import { group, leaf } from './xml-write.ts'

const maxKeys = 1000

function remove({ store, bucket, now, notify }: Call, key: string): void {
  const removed = store.removeObject(store.bucket(bucket), key)
  if (removed) notify({ kind: 'removed', bucket, key, size: removed.size, etag: removed.etag, at: now() })
}

/** Deleting a missing object is a success, as on S3. */
export function deleteObject(call: Call): Answer {
  remove(call, call.key)
  return { status: 204 }
}

export async function deleteObjects(call: Call): Promise<Answer> {
  call.store.bucket(call.bucket)
  const document = await readDocument(call, 'Delete')
  const keys = childrenOf(document, 'Object').map((object) => textOf(object, 'Key') ?? '')
  if (keys.length === 0 || keys.length > maxKeys || keys.includes('')) {
    throw new S3Error('MalformedXML', 'A Delete names 1 to 1000 keys.')
  }
  const isQuiet = textOf(document, 'Quiet') === 'true'
  const results = keys.flatMap((key) => {
    const refusal = call.refusal([onObject('DeleteObject', call.bucket, key)])
    if (refusal !== undefined) {
      return group('Error', leaf('Key', key), leaf('Code', 'AccessDenied'), leaf('Message', refusal))
    }
    remove(call, key)
    return isQuiet ? [] : group('Deleted', leaf('Key', key))
  })
  return answerXml('DeleteResult', ...results)
}
