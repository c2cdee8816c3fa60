import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { type Context, perContext } from '../context.ts'
import { makeClient } from './client.ts'

/** Who it is that our events come from, for the rules of others. */
export const busSource = 'social-publishing-service'

// A bus that does not answer must not hold up the worker: its message comes back.
const client = perContext((ctx) => makeClient(ctx, EventBridgeClient, {}))

/** An event for the bus; `detail` is JSON, and at most 64 KiB: ten of them stay below the 1 MB that one call may hold. */
export interface BusEvent {
  detailType: string
  detail: string
  atMs: number
}

/** Puts events on our bus, ten at a time and in order; throws when any was not taken. */
export const putEvents = async (ctx: Context, events: readonly BusEvent[]): Promise<void> => {
  for (let from = 0; from < events.length; from += 10) {
    const Entries = events.slice(from, from + 10).map(({ detailType, detail, atMs }) => ({
      EventBusName: ctx.env('EVENT_BUS_NAME'),
      Source: busSource,
      DetailType: detailType,
      Detail: detail,
      Time: new Date(atMs),
    }))
    const answer = await ctx.observe({ service: 'events', action: 'PutEvents', resource: 'bus' }, () =>
      client(ctx).send(new PutEventsCommand({ Entries })),
    )
    if (answer.FailedEntryCount) {
      const codes = (answer.Entries ?? []).flatMap(({ ErrorCode }) => ErrorCode ?? [])
      throw new Error(`the bus refused ${answer.FailedEntryCount} events: ${[...new Set(codes)].join(', ')}`)
    }
  }
}
