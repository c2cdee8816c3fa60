import { Agent, request } from 'node:http'
import type { Command } from '../requests/command.ts'

/** What an engine answers: a body, or an error with the details of its kind. */
export type Answer = Record<string, unknown>

export interface Wire {
  send(command: Pick<Command, 'input'> & { operation: string }): Promise<Answer>
  close(): void
}

interface Refusal {
  __type: string
  message?: string
  Message?: string
  CancellationReasons?: { Code?: string; Item?: unknown }[]
  Item?: unknown
}

const readRefusal = (body: Refusal): Answer => ({
  error: body.__type.split('#').at(-1),
  message: body.message ?? body.Message,
  reasons: body.CancellationReasons?.map(({ Code, Item }) => ({ Code, Item })),
  Item: body.Item,
})

/** One caller's tables in an engine, over HTTP: a client of the SDK takes four times as long and sends no wrong shapes. */
export const openWire = (endpoint: string, accessKeyId: string): Wire => {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(endpoint)
  const credential = `${accessKeyId}/20300101/us-east-1/dynamodb/aws4_request`
  const headersFor = (operation: string, body: Buffer) => ({
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'x-amz-date': '20300101T000000Z',
    // No engine checks the signature; the key says whose tables are meant.
    authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=none`,
  })
  const send: Wire['send'] = ({ operation, input }) =>
    new Promise((resolve, reject) => {
      const body = Buffer.from(JSON.stringify(input))
      const headers = headersFor(operation, body)
      const outgoing = request({ agent, hostname, port, method: 'POST', path: '/', headers }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const answer = JSON.parse(Buffer.concat(chunks).toString('utf8'))
          resolve(incoming.statusCode === 200 ? answer : readRefusal(answer))
        })
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}
