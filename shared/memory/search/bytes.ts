/** A position in bytes that advances as they are read. */
export interface Cursor {
  bytes: Uint8Array
  at: number
}

/** Reads a number of seven bits per byte, lowest first; 0 after the end. */
export const readNumber = (cursor: Cursor): number => {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = cursor.bytes[cursor.at++] ?? 0
    value |= (byte & 127) << shift
    if (byte < 128) return value >>> 0
  }
}

/** A byte buffer that grows as numbers are written to it. */
export const growBytes = () => {
  let bytes = new Uint8Array(1024)
  let length = 0
  return {
    length: () => length,
    number(value: number) {
      if (length + 5 > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2)
        larger.set(bytes)
        bytes = larger
      }
      let rest = value
      for (; rest > 127; rest >>>= 7) bytes[length++] = (rest & 127) | 128
      bytes[length++] = rest
    },
    take: () => bytes.slice(0, length),
  }
}
