import { invalidFile } from './invalid-file.ts'

const piece = Buffer.alloc(65_536)

/** Whether there are only zeros, as cameras and file systems leave them. */
export const isPadding = (bytes: Buffer): boolean => {
  for (let at = 0; at < bytes.length; at += piece.length) {
    const some = bytes.subarray(at, at + piece.length)
    if (!some.equals(piece.subarray(0, some.length))) return false
  }
  return true
}

/** Rejects a file in which another one begins after the end of the first. */
export const assertEnd = (format: string, rest: Buffer): void => {
  if (!isPadding(rest)) throw invalidFile('media_polyglot', `has ${rest.length} bytes after the end of the ${format}`)
}
