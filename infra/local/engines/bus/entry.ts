import { randomUUID } from 'node:crypto'
import { accountId, region } from '../../template/account.ts'
import type { BusEvent, Entry } from './shapes.ts'

/** The outcome of one entry: its line in the response, and the event if it was accepted. */
interface Result {
  answer: { EventId: string } | { ErrorCode: string; ErrorMessage: string }
  event?: BusEvent
}

const refuse = (ErrorCode: string, ErrorMessage: string): Result => ({ answer: { ErrorCode, ErrorMessage } })

const missing = (name: string) =>
  refuse('InvalidArgument', `Parameter ${name} is not valid. Reason: ${name} is a required argument.`)

const readDetail = (detail: string): Record<string, unknown> | undefined => {
  try {
    const parsed: unknown = JSON.parse(detail)
    // JSON.parse returns no other kinds of objects.
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** The name in an ARN of a bus, or the name itself. */
const nameOf = (bus: string) => bus.split('event-bus/').at(-1) ?? bus

/** Accepts one entry, or rejects it with EventBridge's message. */
export const putEntry = (
  entry: Entry,
  buses: ReadonlySet<string>,
  nowMs: number,
  fault: string | undefined,
): Result => {
  const { Source, DetailType, Detail, EventBusName = 'default', Resources = [], Time } = entry
  if (fault !== undefined) return refuse(fault, 'The bus is configured to reject it.')
  if (!Source) return missing('Source')
  if (!DetailType) return missing('DetailType')
  if (!Detail) return missing('Detail')
  if (Source.startsWith('aws.')) return refuse('NotAuthorizedForSource', 'Not authorized for the source.')
  const detail = readDetail(Detail)
  if (detail === undefined) return refuse('MalformedDetail', 'Detail is malformed.')
  const bus = nameOf(EventBusName)
  // AWS silently drops events for a missing bus; here a wrong name is reported.
  if (!buses.has(bus)) return refuse('ResourceNotFound', `There is no event bus ${bus}.`)
  const id = randomUUID()
  // Events have times in whole seconds.
  const time = new Date(Math.floor(Time ?? nowMs / 1000) * 1000).toISOString().replace('.000Z', 'Z')
  return {
    answer: { EventId: id },
    event: {
      version: '0',
      id,
      'detail-type': DetailType,
      source: Source,
      account: accountId,
      time,
      region,
      resources: Resources,
      detail,
      bus,
    },
  }
}
