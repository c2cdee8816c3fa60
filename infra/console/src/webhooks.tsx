import { useEffect, useState } from 'preact/hooks'
import type { Client } from 'social-publishing-client'
import { Empty, Loading } from './parts.tsx'
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

const Attempt = ({ delivery, onSent }: { delivery: Delivery; onSent: () => void }) => {
  const {
    id,
    endpointId,
    eventType,
    status,
    httpStatus,
    errorCode,
    requestedAt,
    createdAt,
    durationMs,
    attempt: n,
  } = delivery
  const result = httpStatus === null ? (errorCode ?? status) : `HTTP ${httpStatus}`
  return (
    <tr>
      <td>{eventType}</td>
      <td>
        {status}, {result}
      </td>
      <td>{n}</td>
      <td>{formatMoment(Date.parse(requestedAt ?? createdAt), zone.value)}</td>
      <td>{durationMs === null ? '—' : formatDuration(durationMs)}</td>
      <td>
        <button
          type="button"
          class="plain"
          onClick={async () => {
            if ((await attempt(() => api().webhooks.redeliver(endpointId, id))) === undefined) return
            say('The event is delivered again.')
            onSent()
          }}
        >
          Redeliver
        </button>
      </td>
    </tr>
  )
}

const EndpointCard = ({ endpoint }: { endpoint: Endpoint }) => {
  const [deliveries, setDeliveries] = useState<readonly Delivery[]>()
  const [reads, setReads] = useState(0)
  useEffect(() => {
    attempt(() => api().webhooks.listDeliveries(endpoint.id, { limit: shownAttempts })).then(
      (page) => page && setDeliveries(page.items),
    )
  }, [endpoint.id, reads])
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
            <div class="scroll">
              <table>
                <thead>
                  <tr>
                    <th>Event</th>
                    <th>Result</th>
                    <th>Attempt</th>
                    <th>When</th>
                    <th>Took</th>
                    <th>
                      <span class="unseen">Actions</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {deliveries.map((delivery) => (
                    <Attempt key={delivery.id} delivery={delivery} onSent={() => setReads(reads + 1)} />
                  ))}
                </tbody>
              </table>
            </div>
          </details>
        </>
      )}
    </article>
  )
}

/** The endpoints of the workspace, each with its last attempts. */
export const WebhooksView = () => {
  const [endpoints, setEndpoints] = useState<readonly Endpoint[]>()
  const workspaceId = workspace.value?.id
  useEffect(() => {
    setEndpoints(undefined)
    attempt(() => api().webhooks.list()).then((read) => read && setEndpoints(read))
  }, [workspaceId])
  return (
    <section>
      <h1>Webhooks</h1>
      {workspace.value?.role === 'member' ? (
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
