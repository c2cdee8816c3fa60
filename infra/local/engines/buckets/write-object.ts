import type { Call } from './call.ts'
import { checkWrite } from './conditions.ts'
import type { Description, Measured, StoredObject } from './records.ts'

export interface NewObject {
  bucket: string
  key: string
  description: Description
  chunks: AsyncIterable<Uint8Array>
  /** Called when all chunks are read; it can still reject the object. */
  measured(): Measured
}

export type WriteContext = Pick<Call, 'store' | 'headers' | 'now' | 'notify'>

/** Writes the bytes, then the record in one step: a reader sees the old object or the new one, never a mixture. */
export async function writeObject(context: WriteContext, { bucket, key, ...parts }: NewObject): Promise<StoredObject> {
  const { store, headers } = context
  checkWrite(headers, store.bucket(bucket).objects.get(key))
  const blob = await store.backend.write(parts.chunks)
  try {
    const owner = store.bucket(bucket)
    // Checked again, since another writer may have been faster while the bytes arrived.
    checkWrite(headers, owner.objects.get(key))
    const object = { key, blob, modifiedAt: context.now(), ...parts.description, ...parts.measured() }
    store.saveObject(owner, object)
    context.notify({ kind: 'created', bucket, key, size: object.size, etag: object.etag, at: object.modifiedAt })
    return object
  } catch (error) {
    store.backend.removeBlob(blob)
    throw error
  }
}
