import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { crc32c } from './crc32c.ts'
import { S3Error } from './error.ts'

export const checksumNames = ['crc32', 'crc32c', 'sha1', 'sha256'] as const
export type ChecksumName = (typeof checksumNames)[number]

/** A checksum as stored and shown. A composite one is computed from the checksums of parts and ends with their number. */
export interface Checksum {
  name: ChecksumName
  value: string
  type: 'FULL_OBJECT' | 'COMPOSITE'
}

export interface RunningSum {
  update(data: Uint8Array): void
  base64(): string
}

const lengthOf: Record<ChecksumName, number> = { crc32: 4, crc32c: 4, sha1: 20, sha256: 32 }

function runCrc(step: (data: Uint8Array, value: number) => number): RunningSum {
  let value = 0
  return {
    update(data) {
      value = step(data, value)
    },
    base64() {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes.toString('base64')
    },
  }
}

export function startChecksum(name: ChecksumName): RunningSum {
  if (name === 'crc32') return runCrc(crc32)
  if (name === 'crc32c') return runCrc(crc32c)
  const hash = createHash(name)
  return { update: (data) => void hash.update(data), base64: () => hash.digest('base64') }
}

/** Turns `CRC32` or `x-amz-checksum-crc32` into our name; unsupported S3 algorithms are rejected by name. */
export function toChecksumName(text: string): ChecksumName {
  const short = text.toLowerCase().replace('x-amz-checksum-', '')
  const name = checksumNames.find((candidate) => candidate === short)
  if (!name) throw new S3Error('NotImplemented', `The checksum ${short} is not implemented here.`)
  return name
}

export function checkForm(name: ChecksumName, value: string): void {
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length === lengthOf[name] && bytes.toString('base64') === value) return
  throw new S3Error('InvalidRequest', `Value for x-amz-checksum-${name} header is invalid.`)
}

/** The checksum of a multipart object: the checksum of the raw checksums of its parts. */
export function compose(name: ChecksumName, values: string[]): Checksum {
  const sum = startChecksum(name)
  for (const value of values) sum.update(Buffer.from(value, 'base64'))
  return { name, value: `${sum.base64()}-${values.length}`, type: 'COMPOSITE' }
}
