import { useState } from 'preact/hooks'
import { Action, type Field, type Values } from '../form.tsx'
import { Empty, Health, Loading, WithCode } from '../parts.tsx'
import { api, workspace, zone } from '../store.ts'
import { formatMoment } from '../time.ts'
import { useRead } from '../use-read.ts'
import { Deliveries, type Endpoint } from './deliveries.tsx'
import { Progress, type Replay, ReplayAction } from './replay.tsx'

type EventTypes = Awaited<ReturnType<typeof read>>['eventTypes']

const read = async () => {
  const { list, listEvents } = api().webhooks
  const [endpoints, eventTypes] = await Promise.all([list(), listEvents()])
  return { endpoints, eventTypes }
}

const fieldsOf = (eventTypes: EventTypes, endpoint?: Endpoint): Field[] => [
  { name: 'name', label: 'Name', value: endpoint?.name ?? '' },
  { name: 'url', label: 'URL', type: 'url', hint: 'We send events here by POST.', value: endpoint?.url ?? '' },
  {
    name: 'events',
    label: 'Events',
    isMany: true,
    value: endpoint?.events.join('\n') ?? '',
    choices: eventTypes.map(({ type, description }) => ({
      id: type,
      name: <code>{type}</code>,
      hint: <WithCode text={description} />,
    })),
  },
]

const requestOf = ({ text, list }: Values) => ({
  name: text('name'),
  url: text('url'),
  events: list('events') as Endpoint['events'],
})

const secretOf = ({ secret }: { secret: string }) => ({
  label: 'This secret signs deliveries. Copy it now. You won’t see it again.',
  value: secret,
})

interface EndpointProps {
  endpoint: Endpoint
  eventTypes: EventTypes
  onChange: () => void
}

const Actions = ({
  endpoint,
  eventTypes,
  onChange,
  onSent,
  onReplay,
}: EndpointProps & { onSent: () => void; onReplay: (replay: Replay) => void }) => {
  const { id, name, enabled } = endpoint
  return (
    <div class="actions">
      <Action
        name="Edit"
        button="Save"
        of={name}
        fields={fieldsOf(eventTypes, endpoint)}
        call={(values) => api().webhooks.update(id, requestOf(values))}
        done="Changes saved"
        onDone={onChange}
      />
      <Action
        name={enabled ? 'Pause' : 'Activate'}
        of={name}
        call={() => api().webhooks.update(id, { enabled: !enabled })}
        done={enabled ? 'Paused' : 'Activated'}
        onDone={onChange}
      />
      <Action
        name="Send a test"
        of={name}
        call={() => api().webhooks.sendTest(id)}
        done="Test event sent"
        onDone={onSent}
      />
      <ReplayAction endpoint={endpoint} onStart={onReplay} />
      <Action
        name="Rotate secret"
        of={name}
        fields={[
          {
            name: 'hours',
            label: 'Keep the old secret valid for (hours)',
            hint: '0 to 168. Enter 0 if the secret leaked.',
            type: 'number',
            value: '24',
          },
        ]}
        call={({ text }) => api().webhooks.rotateSecret(id, { expireOldInSeconds: Number(text('hours')) * 3_600 })}
        secretOf={secretOf}
        onDone={onChange}
      />
      <Action
        name="Delete"
        of={name}
        text="We stop sending events here and delete the secret. The log stays until it expires."
        call={() => api().webhooks.delete(id)}
        done="Endpoint deleted"
        onDone={onChange}
      />
    </div>
  )
}

const healthOf = ({ disabledReason, failingSince, nextProbeAt }: Endpoint): string => {
  const since = failingSince === null ? '' : `Failing since ${formatMoment(Date.parse(failingSince), zone.value)}.`
  const next = nextProbeAt === null ? '' : `Tried next ${formatMoment(Date.parse(nextProbeAt), zone.value)}.`
  return [disabledReason, since, next].filter(Boolean).join(' ')
}

const EndpointCard = (props: EndpointProps) => {
  const { endpoint } = props
  const [sent, setSent] = useState(0)
  const [replay, setReplay] = useState<Replay>()
  return (
    <article class="card">
      <h2>{endpoint.name}</h2>
      <p class="soft">{endpoint.url}</p>
      <p>
        <Health isGood={endpoint.status === 'active'}>{endpoint.status}</Health> {healthOf(endpoint)}
      </p>
      <Deliveries endpoint={endpoint} sent={sent} />
      {replay !== undefined && <Progress replay={replay} />}
      <Actions {...props} onSent={() => setSent(sent + 1)} onReplay={setReplay} />
    </article>
  )
}

const Endpoints = () => {
  const [shown, readAgain] = useRead(read, [workspace.value?.id])
  if (shown === undefined) return <Loading />
  const { endpoints, eventTypes } = shown
  return (
    <>
      {endpoints.length === 0 && <Empty>No endpoints yet.</Empty>}
      {endpoints.map((endpoint) => (
        <EndpointCard key={endpoint.id} {...{ endpoint, eventTypes }} onChange={readAgain} />
      ))}
      <p class="actions">
        <Action
          isMain
          name="Add endpoint"
          fields={fieldsOf(eventTypes)}
          call={(values, options) => api().webhooks.create(requestOf(values), options)}
          secretOf={secretOf}
          onDone={readAgain}
        />
      </p>
    </>
  )
}

/** The endpoints of the workspace, each with its last attempts. */
export const WebhooksView = () => (
  <section>
    <h1>Webhooks</h1>
    {workspace.value?.role === 'member' ? <Empty>Only owners and admins can see webhooks.</Empty> : <Endpoints />}
  </section>
)
