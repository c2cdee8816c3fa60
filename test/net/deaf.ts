import { connect, type Socket } from 'node:net'
import { Worker } from 'node:worker_threads'

const code = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:net').createServer()
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })`

/** A port that accepts no more connections: the listening thread sleeps forever, and its backlog is full. */
export const openDeaf = async (): Promise<{ port: number; close(): Promise<void> }> => {
  const worker = new Worker(code, { eval: true })
  const port: number = await new Promise((resolve) => worker.once('message', resolve))
  const waiting: Socket[] = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  return {
    port,
    async close() {
      for (const socket of waiting) socket.destroy()
      await worker.terminate()
    },
  }
}
