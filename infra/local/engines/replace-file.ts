import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The new content is on disk before it replaces the old one; any failure leaves the old one. */
const options = { mode: 0o600, flush: true }

/** Writes a file to the disk, or the names in a folder: without that, a power failure can take back a rename (fsync(2)). */
export const syncToDisk = (path: string): void => {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Replaces a file atomically: at every moment it has the old content or the new one. If it is durable, a power failure after
 * the call does not take the new one back. Throws the error of the disk.
 */
export const replaceFileSync = (file: string, content: string | Uint8Array, isDurable = false): void => {
  writeFileSync(`${file}.new`, content, options)
  renameSync(`${file}.new`, file)
  if (isDurable) syncToDisk(dirname(file))
}
