import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { putStream } from '../../aws/put-stream.ts'
import type { Context } from '../../context.ts'
import { allowedOrigins } from '../../net/address.ts'
import { OutboundError, type OutboundResponse } from '../../net/outbound.ts'
import { send } from '../../net/send.ts'
import { officeTypeByStart } from '../inspect/office.ts'
import { acceptedTypes, describeType, sniff } from '../inspect/sniff.ts'
import { incomingKeyOf, storageKeyOf } from '../reference.ts'
import { extensionOf, type MediaType, maxBytesOf, maxVideoBytes } from '../types.ts'
import type { MediaImport } from './import.ts'

/** A file could not be fetched. The message is a sentence for the author; it names the host and not the whole address. */
export class ImportError extends Error {
  override name = 'ImportError'
  /** Whether another try can succeed. */
  readonly isTemporary: boolean
  /** Whether the server was too slow: such a try occupies a worker for long, so there are fewer of them. */
  readonly isSlow: boolean

  constructor(message: string, { isTemporary, isSlow = false }: { isTemporary: boolean; isSlow?: boolean }) {
    super(message)
    this.isTemporary = isTemporary
    this.isSlow = isSlow
  }
}

/** How fast a server must be. */
export interface Pace {
  /** One try; together with the inspection shorter than the timeout of the worker (work.ts). */
  totalMs: number
  firstByteMs: number
  /** `leastBytes` arrive in each `windowMs` of waiting, except at the end of the file. */
  windowMs: number
  leastBytes: number
}
export const usualPace: Pace = { totalMs: 200_000, firstByteMs: 10_000, windowMs: 10_000, leastBytes: 1_000_000 }
const connectMs = 10_000
const maxRedirects = 3
/** As much as the type of a file is found by. */
const startBytes = 4096

/** The address of a file, and the ID that the stored file gets. */
type Source = Pick<MediaImport, 'workspaceId' | 'id' | 'sourceUrl'>

/** What was fetched: the type by its first bytes, its length, and the key of its incoming upload. */
export interface Fetched {
  mimeType: MediaType
  fileSize: number
  storageKey: string
}

/** The first bytes of a body, and the complete body. */
const peek = async (body: AsyncIterable<Uint8Array>) => {
  const chunks = body[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let bytes = 0; bytes < startBytes; ) {
    const { value, done } = await chunks.next()
    if (done === true) break
    first.push(value)
    bytes += value.length
  }
  const whole = async function* () {
    yield* first
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value
  }
  return { start: Buffer.concat(first), whole: whole() }
}

/** Passes a body on while its sender keeps up. The time that our code takes for the bytes does not count. */
const paced = async function* (
  body: AsyncIterable<Uint8Array>,
  host: string,
  { windowMs, leastBytes }: Pace,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  const text = `${host} sent fewer than ${leastBytes} bytes in ${windowMs / 1000} seconds. Use a server that sends the file faster, or upload it.`
  let [waitedMs, bytes] = [0, 0]
  for (;;) {
    const startedMs = performance.now()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const slow = () => reject(new ImportError(text, { isTemporary: true, isSlow: true }))
      timer = setTimeout(slow, windowMs - waitedMs)
    })
    const { value, done } = await Promise.race([chunks.next(), late]).finally(() => clearTimeout(timer))
    if (done === true) return
    waitedMs += performance.now() - startedMs
    bytes += value.length
    if (bytes >= leastBytes) [waitedMs, bytes] = [0, 0]
    yield value
  }
}

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The file in a body that a server or a cache has compressed without being asked to. */
const unpacked = async function* (body: AsyncIterable<Uint8Array>, encoding = 'identity', host: string) {
  if (/^(?:identity)?$/i.test(encoding)) return yield* body
  const unpacker = unpackers[encoding.toLowerCase()]?.()
  if (unpacker === undefined) {
    const text = `${host} sent the file with the encoding "${encoding.slice(0, 40)}". Turn off the compression there, or upload the file.`
    throw new ImportError(text, { isTemporary: false })
  }
  // The reader gets the error of the body.
  const ended = pipeline(Readable.from(body), unpacker).catch(() => undefined)
  try {
    yield* unpacker
  } catch (error) {
    if (error instanceof ImportError || error instanceof OutboundError) throw error
    const text = `${host} says that the file is compressed with ${encoding}, and it cannot be unpacked.`
    throw new ImportError(text, { isTemporary: false })
  } finally {
    unpacker.destroy()
    await ended
  }
}

const upTo = async function* (body: AsyncIterable<Uint8Array>, mimeType: MediaType): AsyncGenerator<Uint8Array> {
  const maxBytes = maxBytesOf(mimeType)
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      const text = `The file at the address is larger than ${maxBytes} bytes, the most for ${mimeType}.`
      throw new ImportError(text, { isTemporary: false })
    }
    yield chunk
  }
}

const notAccepted = (start: Buffer) => {
  const text = `The file at the address is ${describeType(start)}. It must be ${acceptedTypes}.`
  return new ImportError(text, { isTemporary: false })
}

/**
 * Stores a body at the key of an incoming upload. Its bytes decide its type, not a header; for an Office file, the
 * inspection determines it.
 */
const store = async (ctx: Context, mediaImport: Source, body: AsyncIterable<Uint8Array>): Promise<Fetched> => {
  const { workspaceId, id } = mediaImport
  const { start, whole } = await peek(body)
  if (start.length === 0) throw new ImportError('The file at the address is empty.', { isTemporary: false })
  const mimeType = sniff(start) ?? officeTypeByStart(start)
  if (mimeType === undefined) throw notAccepted(start)
  const storageKey = storageKeyOf(workspaceId, id, extensionOf(mimeType))
  const fileSize = await putStream(ctx, incomingKeyOf(storageKey), upTo(whole, mimeType), mimeType)
  return { mimeType, fileSize, storageKey }
}

const redirects = new Set([301, 302, 303, 307, 308])
const temporary = new Set([408, 425, 429])

/** The next address of a redirect; undefined for any other response. Throws for one that has no file. */
const redirectOf = ({ status, headers }: OutboundResponse, url: string): string | undefined => {
  const { host } = new URL(url)
  if (status === 200) return undefined
  const to = headers['location']
  if (redirects.has(status) && to !== undefined) {
    const next = URL.parse(to, url)
    if (next !== null) return next.href
  }
  throw new ImportError(`${host} returned the status ${status} instead of the file.`, {
    isTemporary: status >= 500 || temporary.has(status),
  })
}

const permanent = new Set(['blocked_address', 'bad_address', 'body_too_large'])

const asImportError = (error: unknown): unknown =>
  error instanceof OutboundError
    ? new ImportError(error.message, { isTemporary: !permanent.has(error.code), isSlow: error.code === 'timeout' })
    : error

/**
 * Fetches a file and stores it as an incoming upload. Every hop is checked by the guard of webhooks: it
 * leads to the public internet, and connects to the IP address that was checked.
 */
export const fetchFile = async (ctx: Context, mediaImport: Source, pace: Pace): Promise<Fetched> => {
  const endMs = ctx.clock.now() + pace.totalMs
  let url = mediaImport.sourceUrl
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    let fetched: Fetched | undefined
    const response = await send({
      url,
      method: 'GET',
      headers: {
        accept: 'image/*, video/*, application/*, text/vtt',
        'accept-encoding': 'identity',
        'user-agent': 'social-publishing-service',
      },
      totalMs: Math.max(1, endMs - ctx.clock.now()),
      connectMs,
      firstByteMs: pace.firstByteMs,
      maxBytes: maxVideoBytes + 1,
      guard: { allowedOrigins: allowedOrigins(ctx) },
      receive: async (body, headers) => {
        const { host } = new URL(url)
        fetched = await store(ctx, mediaImport, unpacked(paced(body, host, pace), headers['content-encoding'], host))
      },
    }).catch((error: unknown) => {
      throw asImportError(error)
    })
    const next = redirectOf(response, url)
    if (next === undefined && fetched !== undefined) return fetched
    if (next !== undefined) url = next
  }
  throw new ImportError(`The address redirects more than ${maxRedirects} times.`, { isTemporary: false })
}
