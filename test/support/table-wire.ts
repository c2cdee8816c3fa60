import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import * as z from 'zod/mini'

/** A call to the table on the wire: the operation and its input. */
export interface TableCall {
  action: string
  input: Readonly<Record<string, unknown>>
}

/**
 * The outcome of a call. `refuse` returns an error instead of the table; `cut` closes the connection before the table
 * sees the call; `hang` never answers; `lose` lets the table carry it out and then closes the connection; `fail` lets the
 * table carry it out and then answers 500.
 */
export type Fault =
  | { kind: 'refuse'; status: number; body: Readonly<Record<string, unknown>> }
  | { kind: 'cut' | 'hang' | 'lose' | 'fail' }

const type = (name: string) => ({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name })

/** An error of DynamoDB by its name (API reference, "Error handling with DynamoDB"). */
export const refuse = (name: string, status = 400): Fault => ({ kind: 'refuse', status, body: type(name) })

/** A transaction that is cancelled because another one, or the throughput, stands in its way. */
export const cancelWith =
  (code: string) =>
  ({ input }: TableCall): Fault => {
    const items = Array.isArray(input['TransactItems']) ? input['TransactItems'] : []
    const CancellationReasons = items.map((_, n) => ({ Code: n === 0 ? code : 'None' }))
    return { kind: 'refuse', status: 400, body: { ...type('TransactionCanceledException'), CancellationReasons } }
  }

const bodyOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const Refused = z.object({
  __type: z.string(),
  CancellationReasons: z.optional(z.array(z.object({ Code: z.optional(z.string()) }))),
})

/** How an answer is counted: its operation, and the name of its error with its reasons. */
const nameOf = (action: string, status: number, body: Buffer): string => {
  if (status === 200) return action
  const { __type, CancellationReasons = [] } = z.parse(Refused, JSON.parse(body.toString()))
  const codes = new Set(CancellationReasons.flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code])))
  return [action, __type.split('#').at(-1), ...codes].join(' ')
}

/** Stands between SDK clients and a DynamoDB, and breaks the requested calls. */
export const startTableWire = async (table: string) => {
  const agent = new Agent({ keepAlive: true })
  const target = new URL(table)
  const counts = new Map<string, number>()
  let fault: (call: TableCall) => Fault | undefined = () => undefined

  const forward = (incoming: IncomingMessage, body: Buffer) =>
    new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
      const headers = { ...incoming.headers, host: target.host }
      const options = { agent, hostname: target.hostname, port: target.port, method: 'POST', path: '/', headers }
      const outgoing = request(options, (answer) => {
        bodyOf(answer).then(
          (bytes) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
          reject,
        )
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await bodyOf(incoming)
    const action = String(incoming.headers['x-amz-target']).replace(/^.*\./, '')
    const chosen = fault({ action, input: JSON.parse(body.toString()) })
    const send = (status: number, bytes: Buffer) => {
      const name = nameOf(action, status, bytes)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      outgoing.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(bytes)
    }
    if (chosen?.kind === 'hang') return
    if (chosen?.kind === 'cut') return void incoming.socket.destroy()
    if (chosen?.kind === 'refuse') return send(chosen.status, Buffer.from(JSON.stringify(chosen.body)))
    const answered = await forward(incoming, body)
    if (chosen?.kind === 'lose') return void incoming.socket.destroy()
    if (chosen?.kind === 'fail') return send(500, Buffer.from(JSON.stringify(type('InternalServerError'))))
    send(answered.status, answered.body)
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => incoming.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the wire has no port')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    /** How often each operation was answered in which way. */
    counts,
    /** Decides from now on what becomes of each call. */
    breakBy: (decide: (call: TableCall) => Fault | undefined) => {
      fault = decide
    },
    mend: () => {
      fault = () => undefined
    },
    close: () => {
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
