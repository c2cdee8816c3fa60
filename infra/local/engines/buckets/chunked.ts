import { createHash } from 'node:crypto'
import { readBytes } from './byte-reader.ts'
import type { ChunkChain } from './chunk-chain.ts'
import { S3Error } from './error.ts'

const maxLineBytes = 4096

function broken(message: string): S3Error {
  return new S3Error('InvalidRequest', `The aws-chunked body is broken: ${message}.`)
}

/**
 * Takes the frames off an aws-chunked body (`size[;chunk-signature=…]`, data, …, `0`, trailers, empty line) and reports its
 * trailers; with a chain, every chunk must carry the signature derived from the previous one.
 */
export async function* decodeChunked(
  source: AsyncIterable<Uint8Array>,
  onTrailer: (name: string, value: string) => void,
  chain?: ChunkChain,
): AsyncGenerator<Buffer> {
  const reader = readBytes(source)
  for (let isLast = false; !isLast; ) {
    const head = (await reader.upTo('\r\n', maxLineBytes)).toString('latin1')
    const [, hex, signature] = /^([0-9a-fA-F]{1,12})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(head) ?? []
    if (hex === undefined) throw broken('a chunk has no size')
    const size = Number.parseInt(hex, 16)
    const hash = createHash('sha256')
    for await (const piece of reader.exactly(size)) {
      if (chain) hash.update(piece)
      yield piece
    }
    if (size > 0 && (await reader.upTo('\r\n', 2)).length > 0) throw broken('a chunk is longer than it said')
    chain?.checkChunk(hash.digest('hex'), signature)
    isLast = size === 0
  }
  const trailers: string[] = []
  for (;;) {
    const line = (await reader.upTo('\r\n', maxLineBytes)).toString('latin1').trim()
    if (line === '') break
    const [name = '', value = ''] = line.split(/:(.*)/s)
    if (name.toLowerCase() === 'x-amz-trailer-signature') chain?.checkTrailers(trailers, value.trim())
    else {
      trailers.push(`${name.toLowerCase()}:${value.trim()}\n`)
      onTrailer(name.toLowerCase(), value.trim())
    }
  }
  if (!(await reader.isAtEnd())) throw broken('something follows its end')
  chain?.checkComplete()
}
