import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import type { GatewayAnswer } from './answer.ts'

/** The message of the line that a request leaves in the log. */
export const requestLine = 'request answered'

/** A request as in its log line: without its query, which may contain a token. */
export interface RequestSummary {
  method: string
  path: string
  status: number
  /** The code of an error. */
  code: string | undefined
  ms: number
  requestId: string
}

const ErrorBody = z.object({ code: z.string() })

/** The code of an error, in its envelope or its page. */
const codeOf = ({ status, headers, body }: GatewayAnswer): string | undefined => {
  if (status < 400) return undefined
  const text = (headers['Content-Encoding'] === 'gzip' ? gunzipSync(body) : body).toString('utf8')
  if (text.startsWith('{')) return z.safeParse(ErrorBody, JSON.parse(text)).data?.code
  return /<meta name="error-code" content="(\w+)">/.exec(text)?.[1]
}

export const requestSummary = (incoming: IncomingMessage, answer: GatewayAnswer, ms: number): RequestSummary => ({
  method: incoming.method ?? '',
  path: (incoming.url ?? '').split('?', 1)[0] ?? '',
  status: answer.status,
  code: codeOf(answer),
  ms: Math.round(ms),
  requestId: String(answer.headers['X-Request-Id'] ?? ''),
})
