import type { Client } from 'social-publishing-client'
import { type Column, Empty, Loading, Table, useRead } from './parts.tsx'
import { attempt, say } from './service.ts'
import { api, workspace, zone } from './store.ts'
import { formatDuration, formatMoment } from './time.ts'

type Endpoint = Awaited<ReturnType<Client['webhooks']['list']>>[number]
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

const redeliver = async ({ endpointId, id }: Delivery, onSent: () => void) => {
  if ((await attempt(() => api().webhooks.redeliver(endpointId, id))) === undefined) return
  say('The event is delivered again.')
  onSent()
}

const columnsOf = (onSent: () => void): Column<Delivery>[] => [
  { name: 'Event', cell: ({ eventType }) => eventType },
  {
    name: 'Result',
    cell: ({ status, httpStatus, errorCode }) =>
      `${status}, ${httpStatus === null ? (errorCode ?? status) : `HTTP ${httpStatus}`}`,
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
      <button type="button" class="plain" onClick={() => redeliver(delivery, onSent)}>
        Redeliver
      </button>
    ),
  },
]

const EndpointCard = ({ endpoint }: { endpoint: Endpoint }) => {
  const [page, readAgain] = useRead(
    () => api().webhooks.listDeliveries(endpoint.id, { limit: shownAttempts }),
    [endpoint.id],
  )
  const deliveries = page?.items
  return (
    <article class="card">
      <h2>{endpoint.name}</h2>
      <p class="soft">{endpoint.url}</p>
      <p>
        <span class={`state ${endpoint.status === 'active' ? 'published' : 'failed'}`}>{endpoint.status}</span>{' '}
        {endpoint.disabledReason}
      </p>
      {deliveries === undefined ? (
        <Loading />
      ) : deliveries.length === 0 ? (
        <Empty>Nothing was sent to it yet.</Empty>
      ) : (
        <>
          <Line deliveries={deliveries} />
          <details>
            <summary>The last {deliveries.length} attempts</summary>
            <Table
              label={`Attempts at ${endpoint.name}`}
              columns={columnsOf(readAgain)}
              rows={deliveries}
              keyOf={({ id }) => id}
            />
          </details>
        </>
      )}
    </article>
  )
}

/** The endpoints of the workspace, each with its last attempts. */
export const WebhooksView = () => {
  const isMember = workspace.value?.role === 'member'
  const [endpoints] = useRead(
    () => (isMember ? Promise.resolve([]) : api().webhooks.list()),
    [workspace.value?.id, isMember],
  )
  return (
    <section>
      <h1>Webhooks</h1>
      {isMember ? (
        <Empty>Only owners and admins see webhooks.</Empty>
      ) : endpoints === undefined ? (
        <Loading />
      ) : endpoints.length === 0 ? (
        <Empty>No endpoint is registered. Register one with the API: the guide "Webhooks" shows how.</Empty>
      ) : (
        endpoints.map((endpoint) => <EndpointCard key={endpoint.id} endpoint={endpoint} />)
      )}
    </section>
  )
}
