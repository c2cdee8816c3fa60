import { once } from 'node:events'
import { constants, createServer, type Http2ServerRequest, type Http2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AiFault, type AiFaults, hugeText } from '../ai/faults.ts'
import type { StandInModel } from '../ai/model.ts'
import type { Guard } from '../iam/guard.ts'
import { answerConverse, anyAnswer, type ConverseAnswer, filteredAnswer } from './bedrock/converse.ts'
import type { Engine } from './engine.ts'

const never = new AbortController().signal

const readBody = async (request: Http2ServerRequest): Promise<unknown> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

export interface BedrockOptions {
  model: StandInModel
  faults: AiFaults
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

/** Converse of Bedrock on 127.0.0.1, over HTTP/2 as its client wants it. */
export const startBedrock = async ({ model, faults, guard }: BedrockOptions): Promise<Engine> => {
  const converse = async (body: unknown): Promise<ConverseAnswer | 'hang' | 'reset'> => {
    const fault = faults.take('bedrock')
    if (fault?.fault === 'hang' || fault?.fault === 'reset') return fault.fault
    if (fault?.fault === 'slow') await sleep(fault.delayMs ?? 1_000)
    return (fault && broken(fault)) ?? answerConverse(model, body)
  }
  const answer = async (request: Http2ServerRequest) => {
    if (request.method !== 'POST' || !/^\/model\/[^/]+\/converse$/.test(request.url)) {
      const message = `${request.url} is not known here.`
      return { status: 404, type: 'ResourceNotFoundException', body: { message } }
    }
    const { method, url: path, headers } = request
    const body = await readBody(request)
    const denied = guard?.({
      method,
      path,
      query: new URLSearchParams(),
      headers,
      text: JSON.stringify(body),
      isInProcess: false,
      body,
      gone: never,
    })
    if (denied !== undefined) {
      return { status: denied.status, type: denied.headers?.['x-amzn-errortype'], body: denied.body }
    }
    return converse(body)
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP always has an AddressInfo.
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
