import { performance } from 'node:perf_hooks'
import { styleText } from 'node:util'

/** As long as the service waits for a receiver. */
const withinMs = 15_000

/** The response of the reader's app; without a status, it did not respond. */
export interface Forwarded {
  status: number | undefined
  headers: Headers
  body: Buffer
  outcome: string
  ms: number
}

/** Why a request has no response. */
export const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${withinMs / 1000} s`
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}

/** Sends one delivery to the reader's app, byte for byte. */
export const forward = async (target: URL, headers: Record<string, string>, body: Buffer): Promise<Forwarded> => {
  const startedMs = performance.now()
  const elapsed = () => Math.round(performance.now() - startedMs)
  try {
    const signal = AbortSignal.timeout(withinMs)
    const answer = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal })
    const text = Buffer.from(await answer.arrayBuffer())
    return { status: answer.status, headers: answer.headers, body: text, outcome: String(answer.status), ms: elapsed() }
  } catch (error) {
    return { status: undefined, headers: new Headers(), body: Buffer.from(''), outcome: causeOf(error), ms: elapsed() }
  }
}

/** One delivery, and the response of the reader's app. */
export interface Delivered {
  /** Whether its signature is valid. */
  genuine: boolean
  /** Its type and id; what cannot be read has neither. */
  event: { type: string; id: string } | undefined
  answer: Pick<Forwarded, 'status' | 'outcome' | 'ms'>
}

/** How the command shows what happens. */
export interface Show {
  /** Sentences for people, with the line break. */
  note(text: string): void
  delivered(delivery: Delivered): void
}

/** The event in a body. */
export const eventIn = (body: Buffer): Delivered['event'] => {
  try {
    const { type, id } = JSON.parse(body.toString()) as Record<string, unknown>
    return { type: String(type), id: String(id) }
  } catch {
    return undefined
  }
}

/** One line for each delivery: its signature, its type, and the response of the reader's app. */
export const lineOf = ({ genuine, event, answer: { status = 0, outcome, ms } }: Delivered): string => {
  const time = new Date().toTimeString().slice(0, 8)
  const signature = genuine ? styleText('green', 'signature ok') : styleText('red', 'signature invalid')
  const answer = styleText(status >= 200 && status < 300 ? 'green' : 'red', outcome)
  const name = event ? `${event.type}  ${event.id}` : 'not an event'
  return `${time}  ${signature}  ${name}  ${answer}  ${ms} ms\n`
}
