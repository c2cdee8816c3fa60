import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Access } from '../../iam/access.ts'
import type { Proof } from './authenticate.ts'
import type { BucketEvent } from './records.ts'
import type { Store } from './store.ts'
import type { Target } from './target.ts'

/** One request with a verified signature, as the operations see it. */
export interface Call {
  method: string
  bucket: string
  key: string
  headers: IncomingHttpHeaders
  proof: Proof
  store: Store
  body: AsyncIterable<Uint8Array>
  now(): number
  notify(event: BucketEvent): void
  /** S3's error for the first access that the caller is not allowed; undefined if there is none. */
  refusal(accesses: readonly Access[]): string | undefined
  query(name: string): string | undefined
  /** A header; for a presigned URL also the query parameter into which the signer moved an x-amz- header. */
  input(name: string): string | undefined
  inputNames(): string[]
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string | Readable
}

export interface CallParts
  extends Pick<Call, 'method' | 'headers' | 'proof' | 'store' | 'body' | 'now' | 'notify' | 'refusal'> {
  target: Target
}

export function makeCall({ target, ...parts }: CallParts): Call {
  const { headers, proof } = parts
  const query = new Map(target.query)
  const hoisted = new Map(
    proof.presigned ? target.query.map(([name, value]) => [name.toLowerCase(), value] as const) : [],
  )
  return {
    ...parts,
    bucket: target.bucket,
    key: target.key,
    query: (name) => query.get(name),
    input: (name) => headers[name]?.toString() ?? (name.startsWith('x-amz-') ? hoisted.get(name) : undefined),
    inputNames: () => [...new Set([...Object.keys(headers), ...hoisted.keys()])],
  }
}
