import { createHash, createHmac } from 'node:crypto'
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startChunkChain } from '../../../engines/buckets/chunk-chain.ts'
import { decodeChunked } from '../../../engines/buckets/chunked.ts'
import { signingKey } from '../../../iam/signing.ts'
import { changeSent } from './change-sent.ts'
import { inPieces } from './in-pieces.ts'
import { connectTo, startEngine } from './start.ts'

async function decode(source: AsyncIterable<Uint8Array>) {
  const trailers: string[][] = []
  const pieces: Uint8Array[] = []
  for await (const piece of decodeChunked(source, (...trailer) => trailers.push(trailer))) pieces.push(piece)
  return { data: Buffer.concat(pieces), trailers }
}

function encode(chunks: Uint8Array[], trailers: Record<string, string>): Buffer {
  const framed = chunks.filter(({ length }) => length > 0)
  return Buffer.concat([
    ...framed.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]),
    Buffer.from('0\r\n'),
    ...Object.entries(trailers).map(([name, value]) => Buffer.from(`${name}:${value}\r\n`)),
    Buffer.from('\r\n'),
  ])
}

// Line ends inside the data are what a careless decoder would trip over.
const chunk = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant(Buffer.from('\r\n0\r\n\r\n')))
const body = fc.record({ chunks: fc.array(chunk, { maxLength: 6 }), cuts: fc.array(fc.nat(2000), { maxLength: 12 }) })

test('decodes bytes and trailers from any chunking, split anywhere on the wire', async () => {
  await fc.assert(
    fc.asyncProperty(body, async ({ chunks, cuts }) => {
      const { data, trailers } = await decode(inPieces(encode(chunks, { 'x-amz-checksum-crc32': 'abc=' }), cuts))
      expect(data.equals(Buffer.concat(chunks))).toBe(true)
      expect(trailers).toEqual([['x-amz-checksum-crc32', 'abc=']])
    }),
  )
})

test('rejects a body that is truncated anywhere or continues after its end', async () => {
  await fc.assert(
    fc.asyncProperty(body, fc.nat(), async ({ chunks, cuts }, at) => {
      const whole = encode(chunks, { 'x-amz-checksum-crc32': 'abc=' })
      const short = whole.subarray(0, at % whole.length)
      await expect(decode(inPieces(short, cuts))).rejects.toMatchObject({ code: 'IncompleteBody' })
      await expect(decode(inPieces(Buffer.concat([whole, Buffer.from('x')]), cuts))).rejects.toMatchObject({
        code: 'InvalidRequest',
      })
    }),
  )
})

test.each([
  'zz\r\n',
  '5;chunk-signature=short\r\n',
  '-1\r\n',
  `${'1'.repeat(5000)}\r\n`,
  '2\r\nabc\r\n',
])('rejects the frame %j', async (frame) => {
  await expect(decode(inPieces(Buffer.from(`${frame}0\r\n\r\n`), []))).rejects.toMatchObject({ code: 'InvalidRequest' })
})

test('the chain of chunk signatures matches the example in the S3 documentation', () => {
  const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'
  const text = '20130524/us-east-1/s3/aws4_request'
  const scope = { accessKeyId, date: '20130524', region: 'us-east-1', service: 's3', text }
  const chain = startChunkChain({
    scope,
    key: signingKey('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', scope),
    timestamp: '20130524T000000Z',
    signature: '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9',
    payloadHash: 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    signedHeaders: [],
    presigned: false,
  })
  const hashOf = (length: number) => createHash('sha256').update('a'.repeat(length)).digest('hex')
  chain.checkChunk(hashOf(65_536), 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648')
  chain.checkChunk(hashOf(1024), '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497')
  chain.checkChunk(hashOf(0), 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9')
  expect(() => chain.checkChunk(hashOf(0), undefined)).toThrow('signature of a chunk')
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Frames a body with a signature on each chunk, from the signature of its request onwards. */
function signChunks(chunks: string[], headers: Record<string, string>, secretAccessKey: string): string {
  const { authorization = '', 'x-amz-date': timestamp } = headers
  const [, scope = '', seed = ''] = /Credential=\w+\/(\S+),.*Signature=(\w+)/.exec(authorization) ?? []
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (before, part) => createHmac('sha256', before).update(part).digest(),
      `AWS4${secretAccessKey}`,
    )
  let previous = seed
  const framed = [...chunks, ''].map((data) => {
    const text = ['AWS4-HMAC-SHA256-PAYLOAD', timestamp, scope, previous, sha256(''), sha256(data)].join('\n')
    previous = createHmac('sha256', key).update(text).digest('hex')
    return `${data.length.toString(16)};chunk-signature=${previous}\r\n${data}\r\n`
  })
  return framed.join('')
}

test.each([
  ['right', (framed: string) => framed, undefined],
  ['wrong', (framed: string) => framed.replace('world', 'World'), 'SignatureDoesNotMatch'],
])('accepts a body of signed chunks when every signature is %s', async (_, change, refusal) => {
  const { buckets } = await startEngine()
  buckets.create('bucket')
  const { client } = changeSent(connectTo(buckets, { requestChecksumCalculation: 'WHEN_REQUIRED' }), (request) => {
    request.body = change(signChunks(['hello ', 'world'], request.headers, 'local-secret'))
  })
  client.middlewareStack.add(
    (next) => (args) => {
      // The SDK types the request of this step as unknown; it is its own HttpRequest.
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'
      headers['x-amz-decoded-content-length'] = '11'
      headers['content-encoding'] = 'aws-chunked'
      headers['content-length'] = String(signChunks(['hello ', 'world'], {}, '').length)
      return next(args)
    },
    { step: 'build', priority: 'low' },
  )
  const sent = client.send(new PutObjectCommand({ Bucket: 'bucket', Key: 'k', Body: 'replaced' }))
  if (refusal) await expect(sent).rejects.toMatchObject({ name: refusal })
  else {
    await sent
    const stored = await connectTo(buckets).send(new GetObjectCommand({ Bucket: 'bucket', Key: 'k' }))
    expect(stored.ContentEncoding).toBeUndefined()
    expect(await stored.Body?.transformToString()).toBe('hello world')
  }
  await buckets.close()
})
