import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { answered, type RoutedAnswer } from '../../../../infra/local/platforms/serve.ts'

/** One answer of a stand-in, as a line of a file has it. */
export interface RecordedAnswer {
  platform: string
  method: string
  /** As the stand-in declares it: `/channels/:channel/messages`. */
  route: string
  path: string
  status: number
  /** The media type; empty where there is no body. */
  type: string
  /** JSON; undefined where the body is none. */
  body?: unknown
  /** JSON that was sent, and accepted. */
  sent?: unknown
}

const folder = process.env['ANSWERS'] ?? ''
const written = new Set<string>()

function typeOf({ headers = {}, body }: RoutedAnswer['answer']): string {
  if (body === undefined) return ''
  const isJson = typeof body !== 'string' && !Buffer.isBuffer(body)
  return headers['content-type']?.split(';')[0] ?? (isJson ? 'application/json' : 'text/plain')
}

function record(message: unknown): void {
  // What publishes there is typed.
  const { answer, sent, platform, method, route, path } = message as RoutedAnswer
  const type = typeOf(answer)
  const body = type.endsWith('json') ? { body: answer.body } : {}
  const hasJsonBody = answer.status < 300 && sent.body.length > 0 && /^application\/json\b/.test(sent.type)
  const request = hasJsonBody ? { sent: JSON.parse(sent.body.toString()) as unknown } : {}
  const line = JSON.stringify({ platform, method, route, path, status: answer.status, type, ...body, ...request })
  if (written.has(line)) return
  written.add(line)
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`)
}

// The files run in one process, and this before each of them.
if (!answered.hasSubscribers) answered.subscribe(record)
