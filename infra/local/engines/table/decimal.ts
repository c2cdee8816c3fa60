import { invalid } from '../aws-server.ts'

/** A number of DynamoDB: `digits` × 10^`exponent`, exact; `digits` ends in no zero unless it is zero. */
export interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

// DynamoDB developer guide, "Naming rules and data types": 38 digits, 1E-130 to 9.99…E+125.
const maxDigits = 38
const maxMagnitude = 125
const minMagnitude = -130

const lengthOf = (digits: bigint): number => (digits < 0n ? -digits : digits).toString().length

const normalize = (digits: bigint, exponent: number): Decimal => {
  if (digits === 0n) return { digits, exponent: 0 }
  let [rest, power] = [digits, exponent]
  while (rest % 10n === 0n) {
    rest /= 10n
    power += 1
  }
  return { digits: rest, exponent: power }
}

/** Throws if a number has too many digits or is too large or too small. */
const checked = ({ digits, exponent }: Decimal): Decimal => {
  if (digits === 0n) return { digits, exponent }
  const length = lengthOf(digits)
  if (length > maxDigits) throw invalid('Attempting to store more than 38 significant digits in a Number')
  const magnitude = exponent + length - 1
  if (magnitude > maxMagnitude) {
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range')
  }
  if (magnitude < minMagnitude) {
    throw invalid('Number underflow. Attempting to store a number with magnitude smaller than supported range')
  }
  return { digits, exponent }
}

/** Reads a number from a request; throws ValidationException. */
export const parseDecimal = (text: string): Decimal => {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/.exec(text) ?? []
  if (whole === '' && fraction === '') {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`)
  }
  const digits = BigInt(`${whole}${fraction}`)
  return checked(normalize(sign === '-' ? -digits : digits, Number(power) - fraction.length))
}

/** Writes a number as DynamoDB returns it: without an exponent and without needless zeros. */
export const formatDecimal = ({ digits, exponent }: Decimal): string => {
  const negative = digits < 0n
  const text = (negative ? -digits : digits).toString()
  const plain =
    exponent >= 0
      ? text + '0'.repeat(exponent)
      : text.length > -exponent
        ? `${text.slice(0, exponent)}.${text.slice(exponent)}`
        : `0.${'0'.repeat(-exponent - text.length)}${text}`
  return negative ? `-${plain}` : plain
}

const scaled = ({ digits, exponent }: Decimal, to: number): bigint => digits * 10n ** BigInt(exponent - to)

export const addDecimals = (a: Decimal, b: Decimal): Decimal => {
  const exponent = Math.min(a.exponent, b.exponent)
  return checked(normalize(scaled(a, exponent) + scaled(b, exponent), exponent))
}

export const negate = ({ digits, exponent }: Decimal): Decimal => ({ digits: -digits, exponent })

export const compareDecimals = (a: Decimal, b: Decimal): number => {
  const exponent = Math.min(a.exponent, b.exponent)
  const difference = scaled(a, exponent) - scaled(b, exponent)
  return difference < 0n ? -1 : Number(difference > 0n)
}

/**
 * How many bytes a number takes: one for every two digits of the whole part, one for every two of the fraction, one more,
 * and one for a minus. The developer guide says "approximately"; this is what was measured on AWS
 * (github.com/nubo-db/dynamodb-conformance, `numberByteSize.test.ts`, 2026-08-18).
 */
export const decimalBytes = (text: string): number => {
  const { digits, exponent } = parseDecimal(text)
  if (digits === 0n) return 1
  const length = lengthOf(digits)
  const whole = exponent >= 0 ? length : Math.max(0, length + exponent)
  return 1 + Math.ceil(whole / 2) + Math.ceil((length - whole) / 2) + Number(digits < 0n)
}

const bias = 500

/** Text that sorts by code unit as the numbers do; for sort keys. */
export const sortableDecimal = (text: string): string => {
  const { digits, exponent } = parseDecimal(text)
  if (digits === 0n) return '1'
  const negative = digits < 0n
  const plain = (negative ? -digits : digits).toString()
  const magnitude = String(exponent + plain.length - 1 + bias).padStart(4, '0')
  const padded = `${magnitude}${plain.padEnd(maxDigits, '0')}`
  if (!negative) return `2${padded}`
  return `0${[...padded].map((digit) => 9 - Number(digit)).join('')}`
}
