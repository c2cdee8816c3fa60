import { createHash } from 'node:crypto'
import type { Call } from './call.ts'
import { type ChecksumName, checkForm, startChecksum, toChecksumName } from './checksums.ts'
import { startChunkChain } from './chunk-chain.ts'
import { decodeChunked } from './chunked.ts'
import { S3Error } from './error.ts'
import type { Measured } from './records.ts'

/** An incoming body. Reading its chunks to the end verifies everything that the sender declared about it. */
export interface Arrival {
  chunks: AsyncIterable<Buffer>
  /** Known when the chunks have been read to the end. */
  measured(): Measured
}

interface Promised {
  name: ChecksumName
  /** Absent if it follows as a trailer. */
  value: string | undefined
}

/** Not checksums, although their names begin like those. */
const settings = ['x-amz-checksum-mode', 'x-amz-checksum-type', 'x-amz-checksum-algorithm']

function promisedChecksum(call: Call): Promised | undefined {
  const given = call.inputNames().filter((name) => name.startsWith('x-amz-checksum-') && !settings.includes(name))
  const trailers = (call.input('x-amz-trailer') ?? '').toLowerCase().split(/[\s,]+/)
  const [first, ...others] = [...given, ...trailers.filter((name) => name.startsWith('x-amz-checksum-'))]
  if (others.length > 0) throw new S3Error('InvalidRequest', 'Only one checksum can be sent with a body.')
  if (first === undefined) {
    if (call.input('x-amz-sdk-checksum-algorithm') === undefined) return undefined
    throw new S3Error(
      'InvalidRequest',
      'x-amz-sdk-checksum-algorithm names a checksum that the request does not carry.',
    )
  }
  const name = toChecksumName(first)
  const value = call.input(first)
  if (value !== undefined) checkForm(name, value)
  return { name, value }
}

function promisedMd5(call: Call): string | undefined {
  const value = call.input('content-md5')
  if (value !== undefined && Buffer.from(value, 'base64').length !== 16) {
    throw new S3Error('InvalidDigest', 'The Content-MD5 header is not a base64 MD5.')
  }
  return value
}

function promisedSize(call: Call, isFramed: boolean): number {
  const text = call.input(isFramed ? 'x-amz-decoded-content-length' : 'content-length')
  if (text === undefined || !/^\d+$/.test(text)) {
    throw new S3Error('MissingContentLength', 'The length of the body must be announced.')
  }
  return Number(text)
}

/** Prepares to read the body of a request: removes its framing, measures it, and verifies every given digest. */
export function receive(call: Call): Arrival {
  const { payloadHash } = call.proof
  const isFramed = payloadHash.startsWith('STREAMING-')
  const isHashed = /^[0-9a-f]{64}$/.test(payloadHash)
  if (!isFramed && !isHashed && payloadHash !== 'UNSIGNED-PAYLOAD') {
    throw new S3Error('InvalidArgument', 'x-amz-content-sha256 is neither a SHA-256 nor a known word.')
  }
  const promised = promisedChecksum(call)
  const expectedMd5 = promisedMd5(call)
  const expectedSize = promisedSize(call, isFramed)
  const md5 = createHash('md5')
  const sum = promised && startChecksum(promised.name)
  const sha256 = isHashed ? createHash('sha256') : undefined
  let size = 0
  let measured: Measured | undefined

  function noteTrailer(name: string, value: string): void {
    if (promised && name === `x-amz-checksum-${promised.name}`) promised.value = value
  }

  function check(): Measured {
    if (size !== expectedSize) throw new S3Error('IncompleteBody', 'The body has another length than announced.')
    if (sha256 && sha256.digest('hex') !== payloadHash) {
      throw new S3Error('XAmzContentSHA256Mismatch', 'The body has another SHA-256 than x-amz-content-sha256 says.')
    }
    const md5Bytes = md5.digest()
    if (expectedMd5 !== undefined && md5Bytes.toString('base64') !== expectedMd5) {
      throw new S3Error('BadDigest', 'The Content-MD5 you specified did not match what we received.')
    }
    const etag = md5Bytes.toString('hex')
    if (!promised || !sum) return { size, etag }
    const value = sum.base64()
    if (promised.value === value) return { size, etag, checksum: { name: promised.name, value, type: 'FULL_OBJECT' } }
    throw new S3Error('BadDigest', `The ${promised.name.toUpperCase()} you specified did not match what we received.`)
  }

  async function* chunks(): AsyncGenerator<Buffer> {
    const chain = payloadHash.startsWith('STREAMING-AWS4') ? startChunkChain(call.proof) : undefined
    const source = isFramed ? decodeChunked(call.body, noteTrailer, chain) : call.body
    for await (const piece of source) {
      const chunk = Buffer.from(piece)
      for (const digest of [md5, sum, sha256]) digest?.update(chunk)
      size += chunk.length
      yield chunk
    }
    measured = check()
  }

  return {
    chunks: chunks(),
    measured() {
      if (!measured) throw new Error('A body is measured only after it was read')
      return measured
    },
  }
}
