import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { Faults } from '../../infra/local/platforms/faults.ts'
import { Crash, type FunctionEffect, type ObserveFunction } from '../../infra/local/service/invocation.ts'
import { OutboundError } from '../../shared/net/outbound.ts'
import { type PlatformId, platformIds } from '../../shared/resources.ts'
import { minuteMs } from '../../shared/time.ts'
import { between, type Draw, pick } from './draw.ts'
import type { Loop, Task } from './loop.ts'

const secondMs = 1_000

/** What goes wrong with one effect. */
const faultKinds = [
  'crash before',
  'crash after',
  'request lost',
  'response lost',
  'late delivery',
  'throttled',
  'conflict',
  '503',
  '429',
  'slow',
] as const
type FaultKind = (typeof faultKinds)[number]

/** How often each kind occurs in one run; most runs have only some. */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>

const usual: Readonly<Record<FaultKind, number>> = {
  'crash before': 0.012,
  'crash after': 0.015,
  'request lost': 0.015,
  'response lost': 0.02,
  'late delivery': 0.02,
  throttled: 0.015,
  conflict: 0.03,
  '503': 0.05,
  '429': 0.03,
  slow: 0.04,
}

export const faultRatesOf = (draw: Draw): FaultRates =>
  Object.fromEntries(
    faultKinds.flatMap((kind) => {
      const isOn = draw(`faultRates ${kind}`) < 0.5
      return isOn ? [[kind, usual[kind] * 3 * draw(`strength ${kind}`)]] : []
    }),
  )

/** A time in which most calls to a service go wrong in the same way. */
interface Outage {
  fromMs: number
  untilMs: number
  kind: FaultKind
}

const canBeOut = ['bluesky', 'discord', 'x', 'slack', 'webhook', 'events', 'kms', 'scheduler', 'sqs'] as const
const outageKinds = ['request lost', 'response lost', 'late delivery', '503', 'slow'] as const

/** The outages of one run, by service: most runs have none or one, of up to six minutes. */
const outagesOf = (draw: Draw, startMs: number): ReadonlyMap<string, Outage> =>
  new Map(
    canBeOut
      .filter((service) => draw(`${service} is out`) < 0.12)
      .map((service) => {
        const fromMs = startMs + draw(`${service} from`) * 5 * minuteMs
        const untilMs = fromMs + draw(`${service} until`) * 6 * minuteMs
        return [service, { fromMs, untilMs, kind: pick(draw, `${service} kind`, outageKinds) }]
      }),
  )

export const canDie = (faultRates: FaultRates): boolean => 'crash before' in faultRates || 'crash after' in faultRates

const isPlatform = (service: string): service is PlatformId => platformIds.some((id) => id === service)
const isOutbound = ({ service }: FunctionEffect) => service === 'webhook' || isPlatform(service)
const reads = /^(?:GET |Get|BatchGet|Query|Decrypt)/
const isRead = ({ action }: FunctionEffect) => reads.test(action)

/** The kinds that can befall an effect. */
const canBefall = (kind: FaultKind, effect: FunctionEffect): boolean => {
  if (kind === 'throttled') return !isOutbound(effect)
  if (kind === 'conflict') return effect.action === 'TransactWriteItems'
  if (kind === '503' || kind === '429') return isPlatform(effect.service)
  if (kind === 'late delivery') return !isRead(effect)
  return true
}

/** An error as the SDK throws it when all its tries have failed. */
const sdkError = (name: string, status: number) =>
  Object.assign(new Error(`${name}, drawn by the simulation`), { name, $metadata: { httpStatusCode: status } })

const conflict = () =>
  new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: { httpStatusCode: 400 },
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  })

const noResponse = (effect: FunctionEffect) =>
  isOutbound(effect) ? new OutboundError('timeout', true, 'No response in time.') : sdkError('TimeoutError', 0)

const noConnection = (effect: FunctionEffect) =>
  isOutbound(effect)
    ? new OutboundError('connect', false, 'No connection could be made.')
    : Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

/** How long the caller waits for a response that does not come. */
const timeoutMs = (effect: FunctionEffect) => (isOutbound(effect) ? 15 * secondMs : 6 * secondMs)

/** How long after its caller has given up a request can land; the settle window of the publisher is longer. */
const maxLateMs = (effect: FunctionEffect) => (isOutbound(effect) ? 60 : 10) * secondMs

export interface FaultsOptions {
  loop: Loop
  draw: Draw
  faultRates: FaultRates
  /** Faults end here, so that everything can come to its end. */
  faultsEndAtMs: number
  /** The scripts of the stand-ins, once they run. */
  scripts(): Pick<Faults, 'add'>
  /** Names of faults that do not happen, for a search of those that matter. */
  without: ReadonlySet<string>
  note(task: Task, effect: FunctionEffect, fault: string | undefined): void
}

/** Stands between the functions and their effects: each effect takes some time, and some go wrong. */
export const faultsOf = ({
  loop,
  draw,
  faultRates,
  faultsEndAtMs,
  scripts,
  without,
  note,
}: FaultsOptions): ObserveFunction => {
  // Without rates, nothing shall go wrong.
  const outages = Object.keys(faultRates).length === 0 ? new Map<string, Outage>() : outagesOf(draw, loop.nowMs())
  const kindOf = (effect: FunctionEffect, name: string): FaultKind | undefined => {
    const nowMs = loop.nowMs()
    if (nowMs >= faultsEndAtMs || without.has(name)) return undefined
    const outage = outages.get(effect.service)
    const isOut = outage !== undefined && outage.fromMs <= nowMs && nowMs < outage.untilMs
    if (isOut && canBefall(outage.kind, effect) && draw(`${name} in the outage`) < 0.9) return outage.kind
    // What makes a post public is rare among the effects, and what matters most.
    const weight = isPlatform(effect.service) && !isRead(effect) ? 4 : 1
    let left = draw(name)
    for (const kind of faultKinds) {
      if (!canBefall(kind, effect)) continue
      left -= weight * (faultRates[kind] ?? 0)
      if (left < 0) return kind
    }
    return undefined
  }

  return async (effect, run) => {
    const task = loop.task()
    if (task === undefined) return run()
    task.effects += 1
    const name = `${task.name} effect ${task.effects}`
    const kind = kindOf(effect, name)
    note(task, effect, kind)
    const latencyMs = (side: string) => {
      const drawn = draw(`${name} ${side}`)
      return kind === 'slow' ? drawn * 8 * secondMs : drawn * (isOutbound(effect) ? 200 : 8)
    }
    await loop.wait(task, latencyMs('request'))
    if (kind === 'crash before') throw new Crash(`before ${effect.action}`)
    if (kind === 'request lost') {
      if (draw(`${name} connects`) < 0.5) throw noConnection(effect)
      await loop.wait(task, timeoutMs(effect))
      throw noResponse(effect)
    }
    if (kind === 'throttled') throw sdkError('ThrottlingException', 400)
    if (kind === 'conflict') throw conflict()
    if (kind === 'late delivery') {
      const lateMs = draw(`${name} late`) * (timeoutMs(effect) + maxLateMs(effect))
      const landed = loop.wait(undefined, lateMs).then(() => loop.carryOut(run))
      landed.catch(() => undefined)
      await loop.wait(task, timeoutMs(effect))
      throw noResponse(effect)
    }
    if (isPlatform(effect.service) && (kind === '503' || kind === '429')) {
      scripts().add({
        platform: effect.service,
        operation: '*',
        times: 1,
        ...(kind === '503' ? { fault: 'html_503' } : { fault: 'rate_limited' }),
      })
    }
    const answer = await loop.carryOut(run)
    if (kind === 'crash after') throw new Crash(`after ${effect.action}`)
    if (kind === 'response lost') {
      await loop.wait(task, timeoutMs(effect))
      throw noResponse(effect)
    }
    await loop.wait(task, latencyMs('response'))
    return answer
  }
}

export type MessageFault = 'keep' | 'lose' | 'double' | { delaySeconds: number }

export interface MessageFaultsOptions {
  draw: Draw
  isOver(): boolean
  without: ReadonlySet<string>
  /** Receives the names of lost, duplicated, or delayed messages. */
  names: string[]
  note(line: string): void
}

/** What becomes of a message that its queue has taken, and of a schedule that fires. */
export const messageFaultsOf = ({ draw, isOver, without, names, note }: MessageFaultsOptions) => {
  const rateOf = (faultName: string) => {
    if (draw(`queues: ${faultName}`) < 0.5) return 0
    return draw(`queues: mostly ${faultName}`) < 0.1 ? 0.9 : 0.3 * draw(`queues: how often it ${faultName}`)
  }
  const [loses, doubles, delays] = [rateOf('loses'), rateOf('doubles'), rateOf('delays')]
  let count = 0
  return (of: string): MessageFault => {
    count += 1
    const name = `message ${count}`
    if (isOver() || without.has(name)) return 'keep'
    const drawn = draw(name)
    if (drawn >= loses + doubles + delays) return 'keep'
    const delaySeconds = between(draw, `delay of ${name}`, 1, 150)
    const messageFault: MessageFault = drawn < loses ? 'lose' : drawn < loses + doubles ? 'double' : { delaySeconds }
    names.push(name)
    note(`${of}  ** ${typeof messageFault === 'string' ? messageFault : `${delaySeconds} s later`} **`)
    return messageFault
  }
}

/** By how much the clocks of machines are wrong: on AWS by little (EC2 guide, "Amazon Time Sync Service"). */
export const maxSkewMsOf = (draw: Draw): number => pick(draw, 'skew', [0, 0, 5, 40])
