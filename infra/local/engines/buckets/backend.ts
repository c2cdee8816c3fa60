import type { Readable } from 'node:stream'
import type { Bucket, StoredObject, Upload } from './records.ts'

/** One document that the store keeps in addition to bytes. */
export type StoredDocument =
  | { kind: 'bucket'; bucket: string; value: Pick<Bucket, 'name' | 'cors'> }
  | { kind: 'object'; bucket: string; value: StoredObject }
  | { kind: 'upload'; bucket: string; value: Upload }

/** Where bytes and documents are stored: in memory or below a folder. */
export interface Backend {
  /** Stores all bytes or, if the source fails, nothing. */
  write(chunks: AsyncIterable<Uint8Array>): Promise<string>
  /** Both ends inclusive. Bytes already being read survive their removal. */
  read(blob: string, start: number, end: number): Readable
  removeBlob(blob: string): void
  /** Replaces the document in one step. */
  save(name: string, document: StoredDocument): void
  removeDocument(name: string): void
  load(): StoredDocument[]
  /** Removes blobs that no document refers to: leftovers of a killed process. */
  sweep(known: ReadonlySet<string>): void
}
