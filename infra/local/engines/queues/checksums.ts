import { createHash } from 'node:crypto'
import type { MessageAttribute } from './message.ts'

export function md5(content: string | Buffer): string {
  return createHash('md5').update(content).digest('hex')
}

/** The digest of attributes (SQS developer guide, "Calculating the MD5 message digest"); undefined for none. */
export function md5OfAttributes(attributes: Record<string, MessageAttribute>): string | undefined {
  const names = Object.keys(attributes).sort()
  if (names.length === 0) return undefined
  return md5(Buffer.concat(names.flatMap((name) => encode(name, attributes[name]))))
}

function encode(name: string, attribute: MessageAttribute | undefined): Buffer[] {
  const binary = attribute?.BinaryValue
  const value = binary === undefined ? Buffer.from(attribute?.StringValue ?? '') : Buffer.from(binary, 'base64')
  const transportType = Buffer.from([binary === undefined ? 1 : 2])
  return [...withLength(name), ...withLength(attribute?.DataType ?? ''), transportType, ...withLength(value)]
}

function withLength(content: string | Buffer): Buffer[] {
  const bytes = Buffer.from(content)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return [length, bytes]
}
