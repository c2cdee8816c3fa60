import { sameSignature, sha256Hex, sign } from '../../iam/signing.ts'
import type { Proof } from './authenticate.ts'
import { S3Error } from './error.ts'

export interface ChunkChain {
  checkChunk(dataHash: string, signature: string | undefined): void
  checkTrailers(lines: string[], signature: string): void
  checkComplete(): void
}

/** The chain of signatures in a STREAMING-AWS4-HMAC-SHA256-PAYLOAD body; it begins with the signature of the request. */
export function startChunkChain({ key, timestamp, scope, signature: seed, payloadHash }: Proof): ChunkChain {
  let previous = seed
  let trailersDue = payloadHash.endsWith('-TRAILER')

  function advance(parts: string[], given: string | undefined): void {
    const expected = sign(key, parts.join('\n'))
    if (given === undefined || !sameSignature(expected, given)) {
      throw new S3Error('SignatureDoesNotMatch', 'The signature of a chunk or trailer does not match.')
    }
    previous = expected
  }

  return {
    checkChunk(dataHash, signature) {
      advance(['AWS4-HMAC-SHA256-PAYLOAD', timestamp, scope.text, previous, sha256Hex(''), dataHash], signature)
    },
    checkTrailers(lines, signature) {
      advance(['AWS4-HMAC-SHA256-TRAILER', timestamp, scope.text, previous, sha256Hex(lines.join(''))], signature)
      trailersDue = false
    },
    checkComplete() {
      if (trailersDue) throw new S3Error('SignatureDoesNotMatch', 'The trailers of the body are not signed.')
    },
  }
}
