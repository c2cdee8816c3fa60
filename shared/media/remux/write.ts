/** A video cannot be rewritten; the message continues "the video". */
export class CannotRemux extends Error {
  override name = 'CannotRemux'
}

/** A box with its content (ISO 14496-12, 4.2). */
export const box = (type: string, ...parts: readonly Uint8Array[]): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + parts.reduce((sum, { length }) => sum + length, 0))
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, ...parts])
}
