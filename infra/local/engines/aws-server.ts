import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod/mini'
import type { Engine } from './engine.ts'

/** A refusal in AWS's own words; `type` is the exception the SDK throws. */
export class Fault extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

export interface AwsRequest {
  method: string
  path: string
  /** `<Service>.<Operation>` in the JSON 1.1 protocol. */
  target: string
  body: unknown
}

/** Serves a JSON protocol of AWS on 127.0.0.1: what `answer` returns is a 200, what it throws is AWS's error body. */
export async function serveAws(port: number | undefined, answer: (request: AwsRequest) => object): Promise<Engine> {
  const server = createServer(async (incoming, outgoing) => {
    const { status, type, body } = await readRequest(incoming).then(answer).then(succeed).catch(refuse)
    outgoing.writeHead(status, {
      'content-type': 'application/x-amz-json-1.1',
      ...(type && { 'x-amzn-errortype': type }),
    })
    outgoing.end(JSON.stringify(body))
  })
  server.listen(port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP always has an AddressInfo.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export type Operations = Record<string, (input: unknown) => object>

/** Runs the operation that the request names. */
export function runOperation(operations: Operations, { target, body }: AwsRequest): object {
  const name = target.slice(target.indexOf('.') + 1)
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (!operation) throw new Fault('UnknownOperationException', `Operation ${target} is not known here.`)
  return operation(body)
}

/** Reads an operation's input; what has the wrong shape is refused as AWS refuses it. */
export function readInput<S extends z.ZodMiniType>(shape: S, input: unknown, type = 'ValidationException'): z.infer<S> {
  const parsed = shape.safeParse(input)
  if (!parsed.success) throw new Fault(type, z.prettifyError(parsed.error))
  return parsed.data
}

async function readRequest(incoming: IncomingMessage): Promise<AwsRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString('utf8')
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    target: String(incoming.headers['x-amz-target'] ?? ''),
    body: text === '' ? {} : readJson(text),
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('SerializationException', 'The request body is not JSON.')
  }
}

interface Reply {
  status: number
  type?: string
  body: object
}

function succeed(body: object): Reply {
  return { status: 200, body }
}

function refuse(error: unknown): Reply {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof Fault) return { status: 400, type: error.type, body: { __type: error.type, message } }
  return { status: 500, type: 'InternalFailure', body: { __type: 'InternalFailure', message } }
}
