import { once } from 'node:events'
import { createServer, type Http2ServerRequest, type Http2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import * as z from 'zod/mini'
import type { Guard } from '../iam/guard.ts'
import { placeText } from './embeddings/place-text.ts'
import type { Engine } from './engine.ts'

/** The titan of Bedrock as far as our client goes, and what a test may do to it. */
export interface Embeddings extends Engine {
  /** How many texts it has placed. */
  count(): number
  /** Rejects the next requests, like a busy model. */
  refuseNext(calls: number): void
}

/** About as the model counts: a word of four letters, or a sign of a script without spaces. */
const tokensIn = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter.charCodeAt(0) < 0x2e80 ? 0.25 : 1), 0)

const maxTokens = 8_192

const never = new AbortController().signal

const Input = z.strictObject({
  inputText: z.string().check(z.minLength(1), z.maxLength(50_000)),
  dimensions: z._default(z.union([z.literal(256), z.literal(512), z.literal(1024)]), 1024),
  normalize: z.optional(z.boolean()),
})

const readBody = async (request: Http2ServerRequest): Promise<unknown> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

export interface EmbeddingsOptions {
  port?: number
  /** Decides who may do what; without it, everyone may do everything. */
  guard?: Guard | undefined
}

/**
 * InvokeModel of Bedrock on 127.0.0.1, over HTTP/2 as its client wants it. Texts with like words and letters lie near each
 * other; it knows no meanings, so it shows that the wiring works and says nothing about the quality of a real model.
 */
export const startEmbeddings = async ({ port = 0, guard }: EmbeddingsOptions): Promise<Embeddings> => {
  let placed = 0
  let refusals = 0
  const answer = async (request: Http2ServerRequest) => {
    const refuse = (status: number, type: string, message: string) => ({ status, type, body: { message } })
    if (request.method !== 'POST' || !/^\/model\/[^/]+\/invoke$/.test(request.url)) {
      return refuse(404, 'ResourceNotFoundException', `${request.url} is not known here.`)
    }
    const { method, url: path, headers } = request
    const asked = await readBody(request)
    const denied = guard?.({ method, path, query: new URLSearchParams(), headers, body: asked, gone: never })
    if (denied !== undefined) {
      return { status: denied.status, type: denied.headers?.['x-amzn-errortype'], body: denied.body }
    }
    const input = z.safeParse(Input, asked)
    if (!input.success) return refuse(400, 'ValidationException', z.prettifyError(input.error))
    const tokens = Math.ceil(tokensIn(input.data.inputText))
    if (tokens > maxTokens) {
      return refuse(
        400,
        'ValidationException',
        `400 Bad Request: Too many input tokens. Max input tokens: ${maxTokens}`,
      )
    }
    if (refusals > 0) {
      refusals -= 1
      return refuse(429, 'ThrottlingException', 'Too many requests, please wait before trying again.')
    }
    placed += 1
    const { inputText, dimensions } = input.data
    const body = { embedding: placeText(inputText, dimensions), inputTextTokenCount: tokens }
    return { status: 200, type: undefined, body }
  }
  const sessions = new Set<Http2Session>()
  const server = createServer(async (request, response) => {
    const { status, type, body } = await answer(request).catch((error: unknown) => ({
      status: 500,
      type: 'InternalServerException',
      body: { message: String(error) },
    }))
    response.writeHead(status, { 'content-type': 'application/json', ...(type ? { 'x-amzn-errortype': type } : {}) })
    response.end(JSON.stringify(body))
  })
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP always has an AddressInfo.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    count: () => placed,
    refuseNext(calls) {
      refusals += calls
    },
    async close() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
