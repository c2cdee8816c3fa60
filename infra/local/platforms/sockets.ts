import { randomUUID } from 'node:crypto'
import { type WebSocket, WebSocketServer } from 'ws'
import { namesThisMachine } from '../pages/loopback.ts'
import { encode, type Listener } from '../pages/server.ts'
import type { Outcome } from './break-answer.ts'
import type { Call, Sockets } from './standin.ts'

/** A message as a call: everything except the path's params, which a route finds. */
export type Message = Omit<Call, 'params' | 'headers'> & { headers: Readonly<Record<string, string>> }

/** Responds to the messages of WebSockets at a listener, each as a separate call, in order. */
export function serveSockets(
  listener: Listener,
  sockets: Sockets,
  answer: (message: Message) => Promise<Outcome>,
): void {
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  listener.onUpgrade((request, stream, head) => {
    if (!namesThisMachine(request)) return void stream.destroy()
    const [path = '/', query = ''] = (request.url ?? '/').split('?')
    server.handleUpgrade(request, stream, head, (socket) => {
      const connection = randomUUID()
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      for (const frame of sockets.open(connection)) socket.send(frame)
      let before = Promise.resolve()
      socket.on('message', (data) => {
        const text = String(data)
        const method = sockets.methodOf(text)
        const message = {
          method,
          path,
          query: new URLSearchParams(query),
          headers,
          body: Buffer.from(text),
          connection,
        }
        before = before.then(async () => deliver(socket, sockets, text, await answer(message)))
        before = before.catch(() => socket.terminate())
      })
      socket.on('error', () => socket.terminate())
    })
  })
}

function deliver(socket: WebSocket, sockets: Sockets, text: string, outcome: Outcome): void {
  if (outcome === 'hang') return
  if (outcome === 'reset') {
    socket.terminate()
    return
  }
  const frames = sockets.framesOf(text, outcome) ?? [encode(outcome.body).bytes.toString()]
  for (const frame of frames) socket.send(frame)
}
