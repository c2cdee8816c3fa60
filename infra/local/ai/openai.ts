import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { onlyLoopback } from '../pages/loopback.ts'
import { parseMultipart } from '../pages/multipart.ts'
import { type Answer, listen, readBody, send } from '../pages/server.ts'
import { type AiFault, type AiFaults, hugeText } from './faults.ts'
import type { StandInModel } from './model.ts'
import { transcriptOf } from './speech.ts'

/** The keys that the service finds in its secrets. */
export const openAiKeys = { textApiKey: 'sk-local-text', speechApiKey: 'sk-local-speech' }

const Message = z.object({ role: z.enum(['system', 'user']), content: z.string() })

/** The parts that are read of a request (OpenAI API reference, "Create chat completion"). */
const ChatRequest = z.strictObject({
  model: z.string(),
  messages: z.tuple([Message, Message]),
  max_tokens: z.optional(z.int()),
  max_completion_tokens: z.optional(z.int()),
})

/** Models of this name require `max_completion_tokens`, like OpenAI's reasoning models. */
const reasoning = /^(?:o\d|gpt-5)/

const refusal = (status: number, code: string | null, param: string | null = null): Answer => ({
  status,
  body: { error: { message: `${code ?? 'error'} (${status})`, type: 'invalid_request_error', param, code } },
})

const chat = (model: StandInModel, body: unknown): Answer => {
  const parsed = z.safeParse(ChatRequest, body)
  if (!parsed.success) return refusal(400, 'invalid_request_error')
  const { model: name, messages, max_tokens, max_completion_tokens } = parsed.data
  if (reasoning.test(name) && max_tokens !== undefined) return refusal(400, 'unsupported_parameter', 'max_tokens')
  const [system, user] = messages
  const maxTokens = max_tokens ?? max_completion_tokens ?? 0
  const { text, inputTokens, outputTokens } = model.answer({ system: system.content, data: user.content, maxTokens })
  const message = { role: 'assistant', content: text, refusal: null }
  return {
    status: 200,
    body: {
      id: 'chatcmpl-local',
      object: 'chat.completion',
      created: 0,
      model: name,
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: inputTokens,
        completion_tokens: outputTokens,
        total_tokens: inputTokens + outputTokens,
      },
    },
  }
}

const transcribe = (contentType: string, body: Buffer): Answer => {
  const parts = parseMultipart(contentType, body)
  const file = parts.find(({ name }) => name === 'file')
  const model = parts.find(({ name }) => name === 'model')
  if (file === undefined || model === undefined) return refusal(400, 'invalid_request_error')
  const { text, seconds } = transcriptOf(file.bytes)
  return { status: 200, body: { text, usage: { type: 'duration', seconds } } }
}

const filtered: Answer = {
  status: 200,
  body: { choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'content_filter' }] },
}

const huge = (): Answer => ({
  status: 200,
  body: { text: hugeText(), choices: [{ message: { content: hugeText() }, finish_reason: 'stop' }] },
})

/** A faulty response; undefined for one that is only late. */
const broken = ({ fault, status = 500, retryAfterSeconds }: AiFault): Answer | undefined => {
  if (fault === 'malformed') return { status: 200, body: { unexpected: ['shape'] } }
  if (fault === 'not_json') return { status: 200, body: '<html>' }
  if (fault === 'huge') return huge()
  if (fault === 'filtered') return filtered
  if (fault !== 'status') return undefined
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
  return { ...refusal(status, null), headers }
}

const maxBytes = 30 * 1024 * 1024

export interface OpenAiStandIn {
  /** The base URL of clients. */
  readonly url: string
  close(): Promise<void>
}

/** An OpenAI-compatible server on 127.0.0.1: `/v1/chat/completions` and `/v1/audio/transcriptions`. */
export const startOpenAi = async (model: StandInModel, faults: AiFaults, port = 0): Promise<OpenAiStandIn> => {
  const listener = await listen(port)
  const closing = new AbortController()
  const answer = (request: IncomingMessage, body: Buffer): Answer => {
    const route = `${request.method} ${request.url}`
    const isSpeech = route === 'POST /v1/audio/transcriptions'
    if (!isSpeech && route !== 'POST /v1/chat/completions') return refusal(404, 'not_found')
    const key = isSpeech ? openAiKeys.speechApiKey : openAiKeys.textApiKey
    if (request.headers.authorization !== `Bearer ${key}`) return refusal(401, 'invalid_api_key')
    if (isSpeech) return transcribe(request.headers['content-type'] ?? '', body)
    return chat(model, JSON.parse(body.toString('utf8')))
  }
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = faults.take('openai')
    const body = await readBody(request, maxBytes)
    if (fault?.fault === 'hang') return
    if (fault?.fault === 'reset') return void response.socket?.resetAndDestroy()
    if (fault?.fault === 'slow') await sleep(fault.delayMs ?? 1_000, undefined, { signal: closing.signal })
    send(response, (fault && broken(fault)) ?? (body ? answer(request, body) : refusal(413, null)))
  }
  listener.onRequest(
    onlyLoopback((request, response) => {
      serve(request, response).catch(() => response.destroy())
    }),
  )
  return {
    url: `${listener.url}/v1`,
    async close() {
      closing.abort()
      await listener.close()
    },
  }
}
