import { renameSync, writeFileSync } from 'node:fs'

/** The new content is on disk before it replaces the old one; any failure leaves the old one. */
const options = { mode: 0o600, flush: true }

/** Replaces a file atomically: at every moment it has the old content or the new one. Throws the error of the disk. */
export const replaceFileSync = (file: string, content: string | Uint8Array): void => {
  writeFileSync(`${file}.new`, content, options)
  renameSync(`${file}.new`, file)
}
