import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer as createTcp, type Socket } from 'node:net'
import { key } from '../../net/certificates.ts'
import { openDeaf } from '../../net/deaf.ts'
import { freePort } from '../../net/free-port.ts'
import { open } from './open.ts'

/** A receiver as an endpoint names it. */
export interface Receiver {
  url: string
  close(): void | Promise<void>
}

/** Starts a receiver, or none where the address alone is the trouble. */
export type Serve = () => Promise<Receiver>

export const serve =
  (answer: RequestListener): Serve =>
  async () => {
    // Bodies are read to their end, as receivers do.
    const { port, close } = await open(createHttp((request, response) => answer(request.resume(), response)))
    return { url: `http://127.0.0.1:${port}/hook`, close }
  }

/** A receiver that speaks as it likes once the request has begun to arrive. */
export const serveRaw =
  (answer: (socket: Socket) => void): Serve =>
  async () => {
    const { port, close } = await open(createTcp((socket) => socket.once('data', () => answer(socket)).resume()))
    return { url: `http://127.0.0.1:${port}/hook`, close }
  }

export const serveSecure =
  (cert: string): Serve =>
  async () => {
    const { port, close } = await open(createHttps({ key, cert }, (_request, response) => response.end('ok')))
    return { url: `https://localhost:${port}/hook`, close }
  }

/** A receiver that accepts a connection and says nothing, not even that it speaks TLS. */
export const mute: Serve = async () => {
  const { port, close } = await open(createTcp((socket) => socket.resume()))
  return { url: `https://localhost:${port}/hook`, close }
}

/** A receiver that does not even accept. */
export const deaf: Serve = async () => {
  const { port, close } = await openDeaf()
  return { url: `https://127.0.0.1:${port}/hook`, close }
}

/** An address without a listener. */
export const at =
  (url: string): Serve =>
  async () => ({ url, close: () => {} })

/** An address that refuses connections; a freed port is given to the next server. */
export const closed: Serve = async () => at(`http://127.0.0.1:${await freePort()}/hook`)()
