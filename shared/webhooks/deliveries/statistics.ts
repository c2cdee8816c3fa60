import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { cachedResponse } from '../../db/cached-response.ts'
import { allOf, begins, equal } from '../../db/expression.ts'
import { query } from '../../db/table.ts'
import { isExpired } from '../../events/outbox.ts'
import { described } from '../../http/described.ts'
import { timestamp } from '../../http/moment.ts'
import { measured, rateOf, Spread, spreadOf } from '../../http/statistics.ts'
import { msOfUlid } from '../../ids.ts'
import { minuteMs } from '../../time.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { listEndpoints } from '../endpoints/find.ts'
import { type Delivery, deliveries } from './lifecycle/row.ts'

/** How many attempts of an endpoint are read: less than 1 MB, a single query. */
const countedAttempts = 500

const EndpointStatistics = z
  .object({
    endpointId: described(z.string(), 'The ID of the endpoint, `whe_…`.'),
    name: described(z.string(), 'The name of the endpoint.'),
    from: described(z.nullable(timestamp()), 'When the first of the attempts was planned; null if there are none.'),
    to: described(z.nullable(timestamp()), 'When the last of the attempts was planned; null if there are none.'),
    count: described(
      z.int(),
      `The number of attempts among the last ${countedAttempts}, or among all. Tests are not counted.`,
    ),
    succeeded: described(z.int(), 'The number of attempts with a 2xx response.'),
    failed: described(z.int(), 'The number of attempts without a 2xx response: `failed` and `exhausted`.'),
    exhausted: described(z.int(), 'The number of failed attempts without a retry left: events that did not arrive.'),
    pending: described(z.int(), 'The number of attempts that are not made yet.'),
    discarded: described(
      z.int(),
      'The number of attempts that were dropped because the endpoint no longer accepts events.',
    ),
    successRate: measured(
      'Succeeded attempts divided by succeeded and failed attempts, from 0 to 1. Null if no attempt was made.',
    ),
    duration: described(Spread, 'How long the requests took.'),
    latency: described(
      Spread,
      'How long after its event a delivery arrived, with all attempts before. Redeliveries and replays are not measured.',
    ),
    errors: described(
      z.array(
        z
          .object({
            error: described(
              z.string(),
              'The status of the response, such as `HTTP 503`, or the code of the error. `not_sent`: no request was made.',
            ),
            count: described(z.int(), 'The number of attempts.'),
          })
          .register(z.globalRegistry, {
            id: 'WebhookStatisticsOfError',
            description: 'How many attempts failed with an error.',
          }),
      ),
      'The failed attempts by error, the most frequent first.',
    ),
  })
  .register(z.globalRegistry, {
    id: 'WebhookStatisticsOfEndpoint',
    description: 'How the last attempts at an endpoint ended.',
  })
type EndpointStatistics = z.infer<typeof EndpointStatistics>

/** The statistics of the endpoints of a workspace. */
export const WebhookStatistics = z
  .object({
    measuredAt: timestamp('When the numbers were calculated, in UTC. They are calculated at most once a minute.'),
    endpoints: described(z.array(EndpointStatistics), 'The endpoints, in the order of creation.'),
  })
  .register(z.globalRegistry, {
    id: 'WebhookStatistics',
    description: 'How the last deliveries of each endpoint ended.',
  })
type WebhookStatistics = z.infer<typeof WebhookStatistics>

const errorOf = ({ outcome }: Delivery): string =>
  typeof outcome?.httpStatus === 'number' ? `HTTP ${outcome.httpStatus}` : (outcome?.errorCode ?? 'not_sent')

/** From the event until the response; undefined unless the delivery of the event itself succeeded. */
const latencyOf = ({ status, cause, outboxId, outcome }: Delivery): number | undefined =>
  status === 'succeeded' && cause === 'event' && outcome !== undefined
    ? Date.parse(outcome.requestedAt) + outcome.durationMs - msOfUlid(outboxId)
    : undefined

const measureEndpoint = async (
  ctx: Context,
  workspaceId: string,
  { id: endpointId, name }: { id: string; name: string },
): Promise<EndpointStatistics> => {
  const { PK } = deliveries.key({ workspaceId, endpointId, id: '' })
  const key = allOf(equal('PK', PK), begins('SK', 'dlv_'))
  const { items } = await query(ctx, { key, newestFirst: true, limit: countedAttempts })
  const rows = deliveries.readable(ctx, items).filter((row) => row.cause !== 'test' && !isExpired(ctx, row))
  const count = (...statuses: readonly Delivery['status'][]) =>
    rows.filter(({ status }) => statuses.includes(status)).length
  const [succeeded, failed] = [count('succeeded'), count('failed', 'exhausted')]
  const bad = rows.filter(({ status }) => status === 'failed' || status === 'exhausted')
  const lengths = (of: (row: Delivery) => number | undefined) => spreadOf(rows.map(of).filter((ms) => ms !== undefined))
  return {
    endpointId,
    name,
    from: rows.at(-1)?.createdAt ?? null,
    to: rows.at(0)?.createdAt ?? null,
    count: rows.length,
    succeeded,
    failed,
    exhausted: count('exhausted'),
    pending: count('pending'),
    discarded: count('discarded'),
    successRate: rateOf(succeeded, failed),
    duration: lengths(({ outcome }) => outcome?.durationMs),
    latency: lengths(latencyOf),
    errors: [...Map.groupBy(bad, errorOf)]
      .map(([error, own]) => ({ error, count: own.length }))
      .toSorted((a, b) => b.count - a.count),
  }
}

const measure = async (ctx: Context, workspace: Workspace): Promise<WebhookStatistics> => {
  const endpoints = await listEndpoints(ctx, workspace)
  return {
    measuredAt: new Date(ctx.clock.now()).toISOString(),
    endpoints: await Promise.all(endpoints.map((endpoint) => measureEndpoint(ctx, workspace.id, endpoint))),
  }
}

/** The statistics of the endpoints of a workspace, at most a minute old. */
export const readStatistics = async (ctx: Context, workspace: Workspace): Promise<WebhookStatistics> => {
  const ask = () => measure(ctx, workspace)
  const subject = { workspaceId: workspace.id, id: 'webhooks' }
  const question = { name: 'statistics', shape: WebhookStatistics, freshMs: minuteMs, ask }
  return (await cachedResponse(ctx, subject, question)).value
}
