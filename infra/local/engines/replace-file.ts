import { renameSync, writeFileSync } from 'node:fs'

/** The new content is on disk before it replaces the old one; any failure leaves the old one. */
const options = { mode: 0o600, flush: true }

/** Replaces a file as a whole: at every moment it has the old content or the new one. Throws what the disk says. */
export const replaceFileSync = (file: string, content: string | Uint8Array): void => {
  writeFileSync(`${file}.new`, content, options)
  renameSync(`${file}.new`, file)
}
