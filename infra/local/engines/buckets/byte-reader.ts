import { type S3Code, S3Error } from './error.ts'

export interface ByteReader {
  /** The bytes before the marker, which is consumed. */
  upTo(marker: string, maxBytes: number, tooLong?: S3Code): Promise<Buffer>
  /** The next `count` bytes, in the pieces in which they arrive. */
  exactly(count: number): AsyncGenerator<Buffer>
  /** Everything before the marker, in pieces; the marker is swallowed. */
  streamUpTo(marker: string): AsyncGenerator<Buffer>
  isAtEnd(): Promise<boolean>
}

/** Reads a byte stream by lengths and markers; a stream that ends too early is rejected as IncompleteBody. */
export function readBytes(source: AsyncIterable<Uint8Array>): ByteReader {
  const iterator = source[Symbol.asyncIterator]()
  let buffered = Buffer.alloc(0)

  async function isAtEnd(): Promise<boolean> {
    if (buffered.length > 0) return false
    const next = await iterator.next()
    if (next.done) return true
    buffered = Buffer.from(next.value)
    return isAtEnd()
  }

  async function extend(): Promise<void> {
    const next = await iterator.next()
    if (next.done) throw new S3Error('IncompleteBody', 'The body ended before its announced end.')
    buffered = Buffer.concat([buffered, next.value])
  }

  function take(count: number): Buffer {
    const taken = buffered.subarray(0, count)
    buffered = buffered.subarray(taken.length)
    return taken
  }

  async function upTo(marker: string, maxBytes: number, tooLong: S3Code = 'InvalidRequest'): Promise<Buffer> {
    for (;;) {
      const index = buffered.indexOf(marker)
      if (index > maxBytes || (index < 0 && buffered.length > maxBytes + marker.length)) {
        throw new S3Error(tooLong, 'A part of the body that frames the rest is too long.')
      }
      if (index >= 0) return take(index + marker.length).subarray(0, index)
      await extend()
    }
  }

  async function* exactly(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (buffered.length === 0) await extend()
      const piece = take(left)
      left -= piece.length
      if (piece.length > 0) yield piece
    }
  }

  async function* streamUpTo(marker: string): AsyncGenerator<Buffer> {
    for (;;) {
      const index = buffered.indexOf(marker)
      if (index >= 0) {
        const last = take(index + marker.length).subarray(0, index)
        if (last.length > 0) yield last
        return
      }
      // The tail may be the beginning of the marker, so it waits for the next piece.
      const safe = buffered.length - marker.length + 1
      if (safe > 0) yield take(safe)
      await extend()
    }
  }

  return { upTo, exactly, streamUpTo, isAtEnd }
}
