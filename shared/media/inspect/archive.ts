export const zipEnd = Buffer.from('PK\x05\x06', 'latin1')
const zipEndBytes = 22

/** The maximum length of a ZIP's end record with its comment. */
export const tailBytes = zipEndBytes + 65_535

/** A ZIP is identified by its end (APPNOTE 4.3.16): a record whose comment reaches exactly to the end of the file. */
export const endsAsZip = (tail: Buffer): boolean => {
  const at = tail.lastIndexOf(zipEnd)
  return at >= 0 && at + zipEndBytes <= tail.length && at + zipEndBytes + tail.readUInt16LE(at + 20) === tail.length
}
