import { S3Error } from './error.ts'

export interface ByteRange {
  start: number
  /** Inclusive. */
  end: number
}

/** Reads one range; several ranges or another unit are ignored and the whole object is returned, as in S3. */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < start) return undefined
  if (start >= size) {
    throw new S3Error('InvalidRange', 'The range lies outside of the object.', {
      RangeRequested: header ?? '',
      ActualObjectSize: String(size),
    })
  }
  return { start, end }
}
