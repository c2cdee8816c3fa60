import { type Answer, encode } from '../pages/server.ts'
import type { FaultScript } from './faults.ts'
import type { Refusals } from './standin.ts'

/** The result of a call: a response, a cut connection, or nothing. */
export type Outcome = Answer | 'reset' | 'hang'

export interface Circumstances {
  /** Performs the effect of the call. */
  effect(): Promise<Answer>
  refusals: Refusals
  wait(delayMs: number): Promise<void>
}

/** Lets one call fail as its script says. `reset_before` is handled earlier: its body is not even read. */
export async function breakAnswer(fault: FaultScript, { effect, refusals, wait }: Circumstances): Promise<Outcome> {
  if (fault.fault === 'slow') return beSlow(fault, effect, wait)
  const real = lands(fault) ? await effect() : undefined
  if (fault.delayMs !== undefined) await wait(fault.delayMs)
  switch (fault.fault) {
    case 'hang':
      return 'hang'
    case 'status':
      return withStatus(fault, refusals)
    case 'html_503':
      return html503(fault)
    case 'rate_limited':
      return refusals.rateLimited(fault.retryAfterSeconds ?? 1.25)
    case 'token_revoked':
      return refusals.tokenRevoked()
    case 'blocked':
      return refusals.blocked()
    case 'wrong_json':
      return { status: 200, body: fault.body ?? { unexpected: ['shape'] } }
    case 'truncated_json':
      return truncate(real ?? { status: 200, body: { unexpected: ['shape'] } })
    default:
      return 'reset'
  }
}

function lands(fault: FaultScript): boolean {
  if (fault.fault === 'landed_then_reset') return true
  return fault.landed ?? (fault.fault === 'wrong_json' || fault.fault === 'truncated_json')
}

/** The effect happens last, unless the script says that it happens first. */
async function beSlow(fault: FaultScript, effect: () => Promise<Answer>, wait: Circumstances['wait']): Promise<Answer> {
  const real = fault.landed ? await effect() : undefined
  await wait(fault.delayMs ?? 5_000)
  return real ?? (await effect())
}

function withStatus(fault: FaultScript, refusals: Refusals): Answer {
  const status = fault.status ?? 500
  const answer = fault.body === undefined ? refusals.status(status) : { status, body: fault.body }
  return { ...answer, headers: { ...answer.headers, ...retryAfter(fault) } }
}

function html503(fault: FaultScript): Answer {
  const body = '<!doctype html><title>503</title><h1>Service Unavailable</h1><p>no healthy upstream</p>'
  return { status: 503, headers: { 'content-type': 'text/html', ...retryAfter(fault) }, body }
}

function retryAfter(fault: FaultScript): Record<string, string> {
  return fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(fault.retryAfterSeconds)) }
}

function truncate(answer: Answer): Answer {
  const { type, bytes } = encode(answer.body)
  return { status: answer.status, headers: type, body: bytes.subarray(0, Math.floor(bytes.length / 2)) }
}
