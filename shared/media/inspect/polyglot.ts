import { invalidFile } from './invalid-file.ts'

/** Where PDF readers search for the signature (ISO 32000-1, annex H.3.4.1). */
const pdfBytes = 1024

const zipEnd = Buffer.from('PK\x05\x06', 'latin1')
const zipEndBytes = 22

/** The maximum length of a ZIP's end record with its comment. */
export const tailBytes = zipEndBytes + 65_535

/** A ZIP is identified by its end (APPNOTE 4.3.16): a record whose comment reaches exactly to the end of the file. */
const endsAsZip = (tail: Buffer): boolean => {
  const at = tail.lastIndexOf(zipEnd)
  return at >= 0 && at + zipEndBytes <= tail.length && at + zipEndBytes + tail.readUInt16LE(at + 20) === tail.length
}

/** Rejects a file that is also a valid document or archive, wherever that is hidden. */
export const assertNotPolyglot = (start: Buffer, tail: Buffer): void => {
  if (start.subarray(0, pdfBytes).includes('%PDF-')) throw invalidFile('media_polyglot', 'is also a PDF')
  if (endsAsZip(tail)) throw invalidFile('media_polyglot', 'is also a ZIP archive')
}
