import { performance } from 'node:perf_hooks'
import { styleText } from 'node:util'

/** As long as the service waits for a receiver. */
const withinMs = 15_000

/** What the reader's app answered; without a status it did not. */
export interface Forwarded {
  status: number | undefined
  headers: Headers
  body: Buffer
  outcome: string
  ms: number
}

/** Why a request has no answer. */
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

/** The type and id in a body; what cannot be read has neither. */
export const nameEvent = (body: Buffer): string => {
  try {
    const { type, id } = JSON.parse(body.toString()) as Record<string, unknown>
    return `${type}  ${id}`
  } catch {
    return 'not an event'
  }
}

/** One line for each delivery: its signature, what it is, and what the reader's app answered. */
export const lineOf = (genuine: boolean, event: string, { status = 0, outcome, ms }: Forwarded): string => {
  const time = new Date().toTimeString().slice(0, 8)
  const signature = genuine ? styleText('green', 'signature ok') : styleText('red', 'signature invalid')
  const answer = styleText(status >= 200 && status < 300 ? 'green' : 'red', outcome)
  return `${time}  ${signature}  ${event}  ${answer}  ${ms} ms\n`
}
