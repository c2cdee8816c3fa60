import { once } from 'node:events'
import { constants, createServer, type Http2ServerRequest, type Http2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type AiFault, type AiFaults, hugeText, openAiFaults } from '../ai/faults.ts'
import { openModel, type StandInModel } from '../ai/model.ts'
import type { Guard } from '../iam/guard.ts'
import { answerConverse, anyAnswer, type ConverseAnswer, filteredAnswer } from './bedrock/converse.ts'
import { embedText } from './bedrock/embed-text.ts'
import type { Engine } from './engine.ts'

/** Bedrock as far as our clients go, and what a test may do to its embeddings. */
export interface Bedrock extends Engine {
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

export interface BedrockOptions {
  port?: number
  /** Responds to Converse; a default if not given. */
  model?: StandInModel
  faults?: AiFaults
  /** Decides who may do what; without it, everyone may do everything. */
  guard?: Guard | undefined
}

/** The exceptions of Converse by their status (Bedrock API, Converse, "Errors"). */
const exceptions: Readonly<Record<number, string>> = {
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  503: 'ServiceUnavailableException',
}

/** A faulty response of Converse; undefined for one that is only late. */
const broken = ({ fault, status = 500 }: AiFault): ConverseAnswer | undefined => {
  const ok = { status: 200, type: undefined }
  if (fault === 'malformed') return { ...ok, body: { unexpected: ['shape'] } }
  if (fault === 'not_json') return { ...ok, body: undefined }
  if (fault === 'huge') return { ...ok, body: anyAnswer(hugeText()) }
  if (fault === 'filtered') return { ...ok, body: filteredAnswer() }
  if (fault !== 'status') return undefined
  return { status, type: exceptions[status] ?? 'InternalServerException', body: { message: 'as the script says' } }
}

/**
 * InvokeModel and Converse of Bedrock on 127.0.0.1, over HTTP/2 as their client wants it. Texts with like words and
 * letters lie near each other; it knows no meanings, so it shows that the wiring works and says nothing about the quality
 * of a real model.
 */
export const startBedrock = async (options: BedrockOptions): Promise<Bedrock> => {
  const { port = 0, guard, model = openModel(), faults = openAiFaults() } = options
  let placed = 0
  let refusals = 0
  const converse = async (body: unknown): Promise<ConverseAnswer | 'hang' | 'reset'> => {
    const fault = faults.take('bedrock')
    if (fault?.fault === 'hang' || fault?.fault === 'reset') return fault.fault
    if (fault?.fault === 'slow') await sleep(fault.delayMs ?? 1_000)
    return (fault && broken(fault)) ?? answerConverse(model, body)
  }
  const answer = async (request: Http2ServerRequest) => {
    const refuse = (status: number, type: string, message: string) => ({ status, type, body: { message } })
    const [, operation] = /^\/model\/[^/]+\/(invoke|converse)$/.exec(request.url) ?? []
    if (request.method !== 'POST' || operation === undefined) {
      return refuse(404, 'ResourceNotFoundException', `${request.url} is not known here.`)
    }
    const { method, url: path, headers } = request
    const prompt = await readBody(request)
    const denied = guard?.({ method, path, query: new URLSearchParams(), headers, body: prompt, gone: never })
    if (denied !== undefined) {
      return { status: denied.status, type: denied.headers?.['x-amzn-errortype'], body: denied.body }
    }
    if (operation === 'converse') return converse(prompt)
    const input = z.safeParse(Input, prompt)
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
    const body = { embedding: embedText(inputText, dimensions), inputTextTokenCount: tokens }
    return { status: 200, type: undefined, body }
  }
  const sessions = new Set<Http2Session>()
  const server = createServer(async (request, response) => {
    const answered = await answer(request).catch((error: unknown) => ({
      status: 500,
      type: 'InternalServerException',
      body: { message: String(error) },
    }))
    if (answered === 'hang') return
    if (answered === 'reset') return response.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    const { status, type, body } = answered
    response.writeHead(status, { 'content-type': 'application/json', ...(type ? { 'x-amzn-errortype': type } : {}) })
    response.end(body === undefined ? '<html>' : JSON.stringify(body))
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
