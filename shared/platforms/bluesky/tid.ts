const letters = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * A timestamp id: microseconds since 1970 and a 10-bit clock id as 13 letters that sort by time
 * (atproto.com/specs/tid).
 */
export const makeTid = (microseconds: bigint, clockId: number): string => {
  const bits = (microseconds << 10n) | BigInt(clockId)
  return Array.from({ length: 13 }, (_, place) => letters[Number((bits >> BigInt(60 - 5 * place)) & 31n)]).join('')
}

/** The microseconds a timestamp id was made of. */
export const tidMicroseconds = (tid: string): bigint =>
  [...tid].reduce((bits, letter) => (bits << 5n) | BigInt(letters.indexOf(letter)), 0n) >> 10n
