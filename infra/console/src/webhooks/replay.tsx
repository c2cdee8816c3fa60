import type { Client } from 'social-publishing-client'
import { startOf } from '../day.ts'
import { Action } from '../form.tsx'
import { api, zone } from '../store.ts'
import { addDays, dayIn, formatMoment, now } from '../time.ts'
import { useRead } from '../use-read.ts'
import type { Endpoint } from './deliveries.tsx'

export type Replay = Awaited<ReturnType<Client['webhooks']['getReplay']>>

/** The end of a day is the start of the next one; a day that is not over ends now. */
const endOf = (day: string): string | undefined =>
  day >= dayIn(now(), zone.value) ? undefined : startOf(addDays(day, 1))

export const ReplayAction = ({
  endpoint: { id, name },
  onStart,
}: {
  endpoint: Endpoint
  onStart: (replay: Replay) => void
}) => {
  const today = dayIn(now(), zone.value)
  return (
    <Action
      name="Replay"
      of={name}
      text="Sends the events of these days again, oldest first, with the same IDs."
      fields={[
        { name: 'since', label: 'First day', type: 'date', value: addDays(today, -1) },
        { name: 'until', label: 'Last day', type: 'date', value: today },
        {
          name: 'scope',
          label: 'Events',
          choices: [
            { id: 'failed', name: 'Failed only' },
            { id: 'all', name: 'All' },
          ],
        },
      ]}
      call={({ text }) => {
        const until = endOf(text('until'))
        const scope = text('scope') === 'all' ? 'all' : 'failed'
        return api().webhooks.replay(id, { since: startOf(text('since')), ...(until && { until }), scope })
      }}
      onDone={onStart}
    />
  )
}

const sentenceOf = ({ status, reason, matched, queued, nextSince }: Replay): string => {
  if (status === 'cancelled') return `Replay canceled: ${reason?.replaceAll('_', ' ')}.`
  if (status === 'running') {
    return matched === null ? 'Replay: counting events…' : `Replay: sending ${queued} of ${matched} events…`
  }
  const rest = nextSince === null ? '' : ` Replay the rest from ${formatMoment(Date.parse(nextSince), zone.value)}.`
  return `Replay done: ${queued} ${queued === 1 ? 'event' : 'events'}.${rest}`
}

/** How far a replay is, until it ends. */
export const Progress = ({ replay: { replayId } }: { replay: Replay }) => {
  const [replay] = useRead(() => api().webhooks.getReplay(replayId), [replayId], {
    isPending: ({ status }) => status === 'running',
    pauseMs: 3_000,
  })
  if (replay === undefined) return null
  return (
    <p role="status">
      {replay.status === 'running' && (
        <progress aria-hidden="true" max={replay.matched ?? 1} value={replay.matched === null ? 0 : replay.queued} />
      )}{' '}
      {sentenceOf(replay)}
    </p>
  )
}
