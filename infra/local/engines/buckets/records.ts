import type { CorsRule } from '../../template/stores.ts'
import type { Checksum, ChecksumName } from './checksums.ts'

/** What a writer states about an object in addition to its bytes. */
export interface Description {
  /** Stored headers by lower-case name: content-type and its like, and x-amz-meta-*. */
  headers: Record<string, string>
}

/** Properties that are known once the bytes are stored. */
export interface Measured {
  size: number
  /** Without its quotation marks. */
  etag: string
  checksum?: Checksum
}

export interface StoredObject extends Description, Measured {
  key: string
  blob: string
  modifiedAt: number
}

export interface StoredPart extends Measured {
  number: number
  blob: string
  modifiedAt: number
}

export interface Upload extends Description {
  id: string
  key: string
  parts: StoredPart[]
  checksumName?: ChecksumName
}

export interface Bucket {
  name: string
  cors: CorsRule[]
  objects: Map<string, StoredObject>
  uploads: Map<string, Upload>
}

/** An event of an object; the runner turns it into notifications. */
export interface BucketEvent {
  kind: 'created' | 'removed'
  bucket: string
  key: string
  size: number
  etag: string
  at: number
}
