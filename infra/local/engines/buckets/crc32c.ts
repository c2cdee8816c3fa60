/** The Castagnoli polynomial, reflected (RFC 3720, section 12.1). */
const polynomial = 0x82f63b78

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ polynomial : value >>> 1
  return value
})

/** CRC-32C of data, continued from an earlier value. */
export function crc32c(data: Uint8Array, value = 0): number {
  let crc = ~value
  for (const byte of data) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}
