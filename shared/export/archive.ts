import { createHash } from 'node:crypto'
import { readObject } from '../aws/bucket.ts'
import { completeUpload, maxParts, type Part, uploadPart } from '../aws/multipart.ts'
import { putFile } from '../aws/put-file.ts'
import type { Context } from '../context.ts'
import { archiveKeyOf, type Checkpoint, type Export, segmentsOf } from './export.ts'
import {
  centralDirectory,
  continueCrc,
  dataDescriptor,
  deflateBlocks,
  dosTime,
  lastBlock,
  localHeader,
  maxEntryBytes,
  type ZipEntry,
} from './zip.ts'

/** A file for the archive. */
export interface NewEntry {
  name: string
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  compress: boolean
  /** What its lines are, and how many it has. */
  kind?: string
  records?: number
}

/** An entry of the archive, as its manifest lists it. */
export interface StoredEntry extends ZipEntry {
  sha256: string
  kind?: string
  records?: number
}

/** Media whose file is not in the bucket. */
export interface MissingFile {
  mediaId: string
  storageKey: string
}

/** What was added to an archive between two checkpoints. It names the previous segment, so that the newest leads to all. */
interface Segment {
  before?: string
  parts: Part[]
  entries: StoredEntry[]
  missing: MissingFile[]
}

/** The archive exceeds the maximum size of an S3 upload. */
export class ArchiveTooLarge extends Error {
  override name = 'ArchiveTooLarge'
}

/** Every part has this size, except the last: 10,000 of them are 160 GB. */
export const partBytes = 16 * 1024 * 1024

const readSegment = async (ctx: Context, key: string): Promise<Segment> =>
  JSON.parse(Buffer.from(await readObject(ctx, key)).toString('utf8'))

/** The bytes that fill no part yet have their own file: only the newest ones are needed. */
const tailOf = (segment: string) => `${segment}.tail`

/** An archive that is written to S3 part by part, and continues at any checkpoint. */
export class Archive {
  readonly #ctx: Context
  readonly #held: Export
  readonly #upload: { storageKey: string; uploadId: string }
  readonly #partBytes: number
  #before: string | undefined
  #parts: Part[] = []
  #entries: StoredEntry[] = []
  #missing: MissingFile[] = []
  #pending: Buffer[] = []
  #pendingBytes = 0
  /** The bytes of the archive so far. */
  bytes: number

  constructor(ctx: Context, claimed: Export, { uploadId, segment, progress }: Checkpoint, size = partBytes) {
    this.#ctx = ctx
    this.#held = claimed
    this.#upload = { storageKey: archiveKeyOf(claimed), uploadId }
    this.#before = segment
    this.#partBytes = size
    this.bytes = progress.bytes
  }

  /** Reads the bytes that fill no part yet. */
  async open(): Promise<this> {
    if (this.#before === undefined) return this
    const tail = Buffer.from(await readObject(this.#ctx, tailOf(this.#before)))
    this.#pending = [tail]
    this.#pendingBytes = tail.length
    return this
  }

  async #flush(size: number): Promise<void> {
    const all = Buffer.concat(this.#pending)
    // All earlier parts have the same size.
    const number = Math.floor((this.bytes - all.length) / this.#partBytes) + 1
    if (number > maxParts) throw new ArchiveTooLarge()
    this.#parts.push(await uploadPart(this.#ctx, this.#upload, number, all.subarray(0, size)))
    this.#pending = [all.subarray(size)]
    this.#pendingBytes = all.length - size
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#pending.push(bytes)
    this.#pendingBytes += bytes.length
    this.bytes += bytes.length
    while (this.#pendingBytes >= this.#partBytes) await this.#flush(this.#partBytes)
  }

  /** Adds a file. If it throws, nothing after the archive's last checkpoint can be used. */
  async add({ name, chunks, compress, kind, records }: NewEntry): Promise<void> {
    const offset = this.bytes
    const time = dosTime(Date.parse(this.#held.createdAt))
    const hash = createHash('sha256')
    await this.#write(localHeader({ name, time }))
    const start = this.bytes
    let [crc, size] = [0, 0]
    for await (const chunk of chunks) {
      crc = continueCrc(chunk, crc)
      size += chunk.length
      if (size > maxEntryBytes) throw new ArchiveTooLarge()
      hash.update(chunk)
      await this.#write(deflateBlocks(chunk, compress))
    }
    await this.#write(lastBlock)
    const sizes = { crc, size, compressed: this.bytes - start }
    await this.#write(dataDescriptor(sizes))
    const about = { ...(kind === undefined ? {} : { kind }), ...(records === undefined ? {} : { records }) }
    this.#entries.push({ name, offset, time, ...sizes, sha256: hash.digest('hex'), ...about })
  }

  miss(file: MissingFile): void {
    this.#missing.push(file)
  }

  /**
   * Stores what was added to the archive since the last checkpoint, under a name that no other worker of the export uses. It
   * counts once the row names it.
   */
  async save(): Promise<string> {
    const key = `${segmentsOf(this.#held)}${this.#held.leaseToken}-${this.bytes}`
    const before = this.#before === undefined ? {} : { before: this.#before }
    const segment: Segment = { ...before, parts: this.#parts, entries: this.#entries, missing: this.#missing }
    await putFile(this.#ctx, tailOf(key), Buffer.concat(this.#pending), 'application/octet-stream')
    await putFile(this.#ctx, key, Buffer.from(JSON.stringify(segment)), 'application/json')
    this.#before = key
    this.#parts = []
    this.#entries = []
    this.#missing = []
    return key
  }

  /** Everything that the archive has, oldest first. */
  async contents(): Promise<Segment> {
    const segments: Segment[] = [{ parts: this.#parts, entries: this.#entries, missing: this.#missing }]
    for (let key = this.#before; key !== undefined; ) {
      const segment = await readSegment(this.#ctx, key)
      segments.unshift(segment)
      key = segment.before
    }
    return {
      parts: segments.flatMap(({ parts }) => parts),
      entries: segments.flatMap(({ entries }) => entries),
      missing: segments.flatMap(({ missing }) => missing),
    }
  }

  /** Writes the end of the archive, and its last part. */
  async close(): Promise<void> {
    const { entries } = await this.contents()
    for (const bytes of centralDirectory(entries, this.bytes)) await this.#write(bytes)
    if (this.#pendingBytes > 0) await this.#flush(this.#pendingBytes)
  }

  /** Assembles one file from all parts. */
  async join(): Promise<void> {
    const { parts } = await this.contents()
    await completeUpload(this.#ctx, this.#upload, parts)
  }
}
