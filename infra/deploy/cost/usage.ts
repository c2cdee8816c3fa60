import { assumptions, callMsOf } from './assumptions.ts'
import { merged } from './idle.ts'
import type { Line, PriceName } from './prices.ts'

/** A call of a function to AWS, a platform, or a receiver; `step` is its position among calls that wait for each other. */
export interface Call {
  service: string
  action: string
  step: number
}

/** An invocation as measured. */
export interface Invocation {
  functionName: string
  /** The name of its queue; undefined for a request. */
  queue?: string | undefined
  memoryMb: number
  /** How long it waited for a time. */
  waitMs: number
  cpuMs: number
  calls: readonly Call[]
}

/** What some posts caused. */
export interface Measured {
  posts: number
  requests: number
  invocations: readonly Invocation[]
  writeUnits: number
  readUnits: number
  /** Events on the bus. A call takes up to ten, and each has its price. */
  busEvents: number
  logBytes: number
}

/** The duration of an invocation on Lambda: its waits, its calls, and its work at its share of a processor. */
export const durationMsOf = ({ waitMs, cpuMs, calls, memoryMb }: Invocation): number => {
  const steps = Map.groupBy(calls, ({ step }) => step)
  const callsMs = [...steps.values()].reduce(
    (sum, beside) => sum + Math.max(...beside.map(({ service }) => callMsOf(service))),
    0,
  )
  const processors = memoryMb / assumptions.fullProcessorMb
  return waitMs + callsMs + cpuMs / processors
}

/** The calls of AWS that have a price each. */
const priceOfCall: Readonly<Record<string, { service: string; what: string; price: PriceName }>> = {
  SendMessage: { service: 'SQS', what: 'messages sent', price: 'queueRequest' },
  CreateSchedule: { service: 'EventBridge', what: 'schedules fired', price: 'scheduledInvocation' },
  Decrypt: { service: 'KMS', what: 'data keys decrypted', price: 'keyRequest' },
  GetSecretValue: { service: 'Secrets Manager', what: 'secrets read', price: 'secretRequest' },
}

const linesOfInvocation = (invocation: Invocation): Line[] => {
  const { functionName, queue, memoryMb, calls } = invocation
  const { share, ms } = assumptions.coldStarts
  const gigabytes = memoryMb / 1024
  const gigabyteSeconds = (gigabytes * (durationMsOf(invocation) + share * ms)) / 1000
  const priced = calls.flatMap(({ action }) => {
    const known = priceOfCall[action]
    return known === undefined ? [] : [{ ...known, units: 1 }]
  })
  // Lambda receives a batch, and deletes it.
  const batchRequests = queue === undefined ? 0 : 2
  const grouped = calls.filter(({ action }) => action === 'SendMessage').length + batchRequests
  return [
    { service: 'Lambda', what: 'invocations', units: 1, price: 'lambdaRequest' },
    { service: 'Lambda', what: `duration of ${functionName}`, units: gigabyteSeconds, price: 'lambdaGigabyteSecond' },
    ...priced,
    { service: 'SQS', what: 'batches received and deleted', units: batchRequests, price: 'queueRequest' },
    { service: 'SQS', what: 'the same, for fair queues', units: grouped, price: 'fairQueueRequest' },
  ]
}

/** The price of a million posts that resemble the measured ones. `withFirewall`: WAF sees each request. */
export const usageLines = (measured: Measured, { withFirewall }: { withFirewall: boolean }): Line[] => {
  const { posts, requests, invocations, writeUnits, readUnits, busEvents, logBytes } = measured
  const scheduled = invocations.flatMap(({ calls }) => calls).filter(({ action }) => action === 'CreateSchedule').length
  const gigabytes = (logBytes + requests * assumptions.accessLogBytes) / 1e9
  const lines: Line[] = [
    { service: 'DynamoDB', what: 'write units', units: writeUnits, price: 'writeUnit' },
    { service: 'DynamoDB', what: 'read units', units: readUnits, price: 'readUnit' },
    { service: 'API Gateway', what: 'requests', units: requests, price: 'apiRequest' },
    { service: 'WAF', what: 'requests', units: withFirewall ? requests : 0, price: 'firewallRequest' },
    // The Scheduler sends its message itself.
    { service: 'SQS', what: 'messages sent', units: scheduled, price: 'queueRequest' },
    { service: 'EventBridge', what: 'events on the bus', units: busEvents, price: 'customEvent' },
    { service: 'CloudWatch', what: 'access log, and lines of functions', units: gigabytes, price: 'logGigabyte' },
    ...invocations.flatMap(linesOfInvocation),
  ]
  return merged(lines)
    .filter(({ units }) => units > 0)
    .map((line) => ({ ...line, units: (line.units * 1_000_000) / posts }))
}
