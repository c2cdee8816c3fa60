import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Requests that a connection may send ahead of a response; clients that pipeline at all send a handful. */
const maxAhead = 32

/**
 * Handles the requests of one connection one after the other, so that a client that pipelines and does not read keeps one
 * response in memory. A connection that sends too many ahead is closed.
 */
export const inTurn = (listener: RequestListener): RequestListener => {
  const waitingOf = new WeakMap<Socket, (() => void)[]>()
  return (request, response) => {
    const { socket } = request
    const begin = () => {
      response.once('close', () => {
        const next = socket.destroyed ? undefined : waitingOf.get(socket)?.shift()
        if (next === undefined) waitingOf.delete(socket)
        else next()
      })
      listener(request, response)
    }
    const waiting = waitingOf.get(socket)
    if (waiting === undefined) {
      waitingOf.set(socket, [])
      begin()
    } else if (waiting.length < maxAhead) waiting.push(begin)
    else socket.destroy()
  }
}
