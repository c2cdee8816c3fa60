import type { Client } from 'social-publishing-client'
import { Action } from '../form.tsx'
import { Empty, Loading } from '../parts.tsx'
import { api, zone } from '../store.ts'
import { type Column, Table } from '../table.tsx'
import { formatDuration, formatMoment, now } from '../time.ts'
import { useRead } from '../use-read.ts'

export type Endpoint = Awaited<ReturnType<Client['webhooks']['list']>>[number]
type Delivery = Awaited<ReturnType<Client['webhooks']['listDeliveries']>>['items'][number]

/** How many attempts the line of an endpoint has. */
const shownAttempts = 50

const heights: Readonly<Record<Delivery['status'], number>> = {
  succeeded: 12,
  pending: 6,
  failed: 20,
  exhausted: 20,
  discarded: 20,
}

/** The last attempts, the newest on the right: tall bars are those that failed. */
const Line = ({ deliveries }: { deliveries: readonly Delivery[] }) => {
  const failed = deliveries.filter(({ status }) => status === 'failed' || status === 'exhausted').length
  return (
    <svg
      class="line"
      viewBox={`0 0 ${shownAttempts * 5} 20`}
      role="img"
      aria-label={`${failed} of the last ${deliveries.length} attempts failed`}
    >
      {deliveries.toReversed().map(({ id, status }, n) => (
        <rect
          key={id}
          class={status}
          x={(shownAttempts - deliveries.length + n) * 5}
          y={20 - heights[status]}
          width={4}
          height={heights[status]}
        />
      ))}
    </svg>
  )
}

/** Whether an attempt is made now, and not by a later try of the schedule. */
export const isDue = ({ status, nextAttemptAt }: Delivery): boolean =>
  status === 'pending' && nextAttemptAt !== null && Date.parse(nextAttemptAt) < now() + 10_000

export const columnsOf = (onSent: () => void): Column<Delivery>[] => [
  { name: 'Event', cell: ({ eventType }) => <code>{eventType}</code> },
  {
    name: 'Result',
    cell: ({ status, httpStatus, errorCode }) =>
      `${status}, ${httpStatus === null ? (errorCode ?? status).replaceAll('_', ' ') : `HTTP ${httpStatus}`}`,
  },
  { name: 'Attempt', cell: (delivery) => delivery.attempt },
  {
    name: 'When',
    cell: ({ requestedAt, createdAt }) => formatMoment(Date.parse(requestedAt ?? createdAt), zone.value),
  },
  { name: 'Took', cell: ({ durationMs }) => (durationMs === null ? '—' : formatDuration(durationMs)) },
  {
    name: 'Actions',
    isUnnamed: true,
    cell: (delivery) => (
      <Action
        name="Redeliver"
        of={`${delivery.eventType}, attempt ${delivery.attempt}`}
        call={() => api().webhooks.redeliver(delivery.endpointId, delivery.id)}
        done="Sent again"
        onDone={onSent}
      />
    ),
  },
]

/** The last attempts at an endpoint, read again while one is on its way. */
export const Deliveries = ({ endpoint: { id, name }, sent }: { endpoint: Endpoint; sent: number }) => {
  const [page, readAgain] = useRead(() => api().webhooks.listDeliveries(id, { limit: shownAttempts }), [id, sent], {
    isPending: ({ items }) => items.some(isDue),
    pauseMs: 2_000,
  })
  const deliveries = page?.items
  if (deliveries === undefined) return <Loading />
  if (deliveries.length === 0) return <Empty>Nothing sent yet</Empty>
  return (
    <>
      <Line deliveries={deliveries} />
      <details>
        <summary>Last attempts ({deliveries.length})</summary>
        <Table
          label={`Attempts at ${name}`}
          columns={columnsOf(readAgain)}
          rows={deliveries}
          keyOf={(delivery) => delivery.id}
        />
      </details>
    </>
  )
}
