import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { type Context, perContext } from '../context.ts'
import { inOneTurn } from '../in-one-turn.ts'
import { makeClient } from './client.ts'

/** The source of our events, for the rules of subscribers. */
export const busSource = 'social-publishing-service'

// A bus that does not respond must not block the worker: its message is delivered again.
const client = perContext((ctx) => makeClient(ctx, EventBridgeClient, {}))

/** An event for the bus; `detail` is JSON of at most 64 KiB, so that ten events stay below the limit of 1 MB per call. */
export interface BusEvent {
  detailType: string
  detail: string
  atMs: number
}

/** Puts events on our bus, ten at a time and in order; returns the code of each rejected event. */
const putAll = inOneTurn(async (ctx, lists: readonly (readonly BusEvent[])[]) => {
  const events = lists.flat()
  const rejected = new Map<BusEvent, string>()
  for (let from = 0; from < events.length; from += 10) {
    const put = events.slice(from, from + 10)
    const Entries = put.map(({ detailType, detail, atMs }) => ({
      EventBusName: ctx.env('EVENT_BUS_NAME'),
      Source: busSource,
      DetailType: detailType,
      Detail: detail,
      Time: new Date(atMs),
    }))
    const answer = await ctx.observe({ service: 'events', action: 'PutEvents', resource: 'bus' }, () =>
      client(ctx).send(new PutEventsCommand({ Entries })),
    )
    for (const [n, event] of put.entries()) {
      const code = answer.Entries?.[n]?.ErrorCode
      if (code !== undefined) rejected.set(event, code)
    }
  }
  return rejected
})

/** Puts events on our bus, if the deployment has one; throws if any was rejected. */
export const putEvents = async (ctx: Context, events: readonly BusEvent[]): Promise<void> => {
  if (ctx.env('EVENT_BUS_NAME') === '') return
  const rejected = await putAll(ctx, events)
  const codes = events.flatMap((event) => rejected.get(event) ?? [])
  if (codes.length > 0) throw new Error(`the bus rejected ${codes.length} events: ${[...new Set(codes)].join(', ')}`)
}
