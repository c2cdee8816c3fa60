import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expired, good, misnamed } from '../../net/certificates.ts'
import { at, closed, deaf, mute, type Serve, serve, serveRaw, serveSecure } from './serve.ts'

/** One behavior of a receiver, and the expected log entry. */
export interface Form {
  title: string
  serve: Serve
  logged: { status: string; httpStatus: number | null; errorCode: string | null }
  /** The bounds of the wait before the next try, in seconds; the schedule's where it says nothing. */
  waits?: [least: number, max: number]
}

const succeeded = { status: 'succeeded', httpStatus: 200, errorCode: null }
const answered = (httpStatus: number) => ({ status: 'failed', httpStatus, errorCode: 'http_status' })
const redirected = (httpStatus: number) => ({ status: 'failed', httpStatus, errorCode: 'redirect' })
const failed = (errorCode: string) => ({ status: 'failed', httpStatus: null, errorCode })

const status = (code: number, headers: Record<string, string> = {}) =>
  serve((_request, response) => response.writeHead(code, headers).end('as told'))

/** Sends so many mebibytes as fast as they are taken. */
const pour = (response: ServerResponse, left: number): void => {
  if (left === 0) response.end()
  else if (!response.destroyed) response.write(Buffer.alloc(1 << 20, 'x'), () => pour(response, left - 1))
}

const drip = (response: ServerResponse) => {
  const timer = setInterval(() => response.write('x'), 500)
  response.on('close', () => clearInterval(timer))
}

/** A kilobyte for a megabyte of nothing, in several layers of it. */
const bomb = gzipSync(gzipSync(Buffer.alloc(100 << 20)))

const retryAfter = (title: string, code: number, header: string, ...waits: [number, number]): Form => ({
  title: `${code} that asks to wait for ${title}`,
  serve: status(code, { 'Retry-After': header }),
  logged: answered(code),
  waits,
})

const inTenYears = 'Tue, 01 Jan 2040 12:00:00 GMT'

const turns = ['120', 'Tue, 01 Jan 2030 12:05:00 GMT', inTenYears, 'soon']

/** Asks for a different wait each time, and never succeeds. */
export const fickle: Form = {
  title: '429 that asks for something else each time',
  serve: () => {
    let calls = 0
    return serve((_request, response) => {
      response.writeHead(429, { 'Retry-After': turns[calls % turns.length] }).end()
      calls += 1
    })()
  },
  logged: answered(429),
}

/** Names that only the name server of the test knows. */
export const knownNames = {
  'missing.example': 'missing',
  'silent.example': 'silent',
  'rebind.example': ['93.184.216.34', '127.0.0.1'],
} as const

/** Forms that end by the clock: four by the bound of the whole, then one by that of each stage, the shortest first. */
export const slowForms: readonly Form[] = [
  {
    title: '2xx that comes too late',
    serve: serve((_request, response) => setTimeout(() => response.end('late'), 20_000)),
    logged: failed('timeout'),
  },
  { title: '2xx whose body drips on', serve: serve((_request, response) => drip(response)), logged: failed('timeout') },
  { title: 'silence', serve: serve(() => {}), logged: failed('timeout') },
  {
    title: 'a head that never ends',
    serve: serveRaw((socket) => socket.write('HTTP/1.1 200 OK\r\nx: ')),
    logged: failed('timeout'),
  },
  { title: 'a name without an address', serve: at('https://silent.example/hook'), logged: failed('timeout') },
  { title: 'a connection that is never accepted', serve: deaf, logged: failed('timeout') },
  { title: 'a handshake without an answer', serve: mute, logged: failed('timeout') },
]

/** Every other way in which a receiver fails or is odd. */
export const quickForms: readonly Form[] = [
  { title: '2xx with another number', serve: status(204), logged: { ...succeeded, httpStatus: 204 } },
  {
    title: '2xx after a while',
    serve: serve((_request, response) => setTimeout(() => response.end('ok'), 300)),
    logged: succeeded,
  },
  { title: 'a reset', serve: serveRaw((socket) => socket.resetAndDestroy()), logged: failed('connect') },
  { title: 'an end without an answer', serve: serveRaw((socket) => socket.end()), logged: failed('connect') },
  {
    title: 'an answer that breaks off',
    serve: serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx')),
    logged: failed('connect'),
  },
  { title: '302', serve: status(302, { location: '/elsewhere' }), logged: redirected(302) },
  {
    title: '301 to the metadata of the cloud',
    serve: status(301, { location: 'http://169.254.169.254/latest/meta-data/' }),
    logged: redirected(301),
  },
  { title: '400', serve: status(400), logged: answered(400) },
  { title: '410', serve: status(410), logged: { ...answered(410), status: 'discarded' } },
  retryAfter('two minutes', 429, '120', 120, 120),
  retryAfter('less than the schedule', 503, '1', 4, 6),
  retryAfter('a date', 503, 'Tue, 01 Jan 2030 12:05:00 GMT', 290, 300),
  retryAfter('ten years', 429, inTenYears, 86_400, 86_400),
  retryAfter('more seconds than there are', 503, '99999999999999999999', 86_400, 86_400),
  retryAfter('something unreadable', 429, 'soon', 4, 6),
  retryAfter('two minutes, which only 429 and 503 may', 500, '120', 4, 6),
  { title: 'a body of 100 MB', serve: serve((_request, response) => pour(response, 100)), logged: succeeded },
  {
    title: 'a body that unpacks to 100 MB',
    serve: serve((_request, response) => response.writeHead(200, { 'Content-Encoding': 'gzip, gzip' }).end(bomb)),
    logged: succeeded,
  },
  { title: 'a certificate that has expired', serve: serveSecure(expired), logged: failed('tls') },
  { title: 'a certificate of another name', serve: serveSecure(misnamed), logged: failed('tls') },
  { title: 'a self-signed certificate', serve: serveSecure(good), logged: failed('tls') },
  {
    title: 'no TLS at all',
    serve: async () => {
      const { url, close } = await status(200)()
      return { url: url.replace('http:', 'https:'), close }
    },
    logged: failed('tls'),
  },
  { title: 'a name that is not there', serve: at('https://missing.example/hook'), logged: failed('dns') },
  { title: 'a name that leads inside', serve: at('https://rebind.example/hook'), logged: failed('blocked_address') },
  { title: 'no listener', serve: closed, logged: failed('connect') },
  { title: 'HTTP/1.0', serve: serveRaw((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nok')), logged: succeeded },
  {
    title: 'a header with a forbidden character',
    serve: serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nx\u0000y: z\r\n\r\n')),
    logged: failed('connect'),
  },
  {
    title: 'a header of 100 KB',
    serve: serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`)),
    logged: failed('connect'),
  },
  {
    title: 'another protocol',
    serve: serveRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')),
    logged: failed('connect'),
  },
]
