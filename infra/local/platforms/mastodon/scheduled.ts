import { minuteMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { refuse } from './refuse.ts'
import type { MastodonPerson } from './seed.ts'
import type { CreateInput } from './status-input.ts'

/** A scheduled post; `made` is the resulting post. */
interface Scheduled<Made> {
  id: string
  owner: string
  atMs: number
  params: CreateInput
  made: Made
}

const earliestMs = 5 * minuteMs

/** Posts that a server publishes later (Mastodon API, scheduled_statuses). */
export function openScheduled<Made extends { owner: string; mediaIds: string[] }>(
  { clock, keep }: SimulatorContext,
  ownerOf: (call: Call, scope: string) => MastodonPerson,
  publish: (made: Made, atMs: number) => void,
  showMedia: (ids: readonly string[]) => unknown,
) {
  const waiting = keep<Scheduled<Made>>('scheduled')

  const show = ({ id, atMs, params, made }: Scheduled<Made>) => ({
    id,
    scheduled_at: new Date(atMs).toISOString(),
    params: {
      text: params.status ?? '',
      visibility: params.visibility ?? 'public',
      language: params.language ?? null,
      sensitive: params.sensitive ?? null,
      spoiler_text: params.spoiler_text ?? null,
      application_id: 1,
      with_rate_limit: true,
    },
    media_attachments: showMedia(made.mediaIds),
  })
  function own(call: Call, scope: string): Scheduled<Made> {
    const owner = ownerOf(call, scope)
    const one = waiting.get(call.params['id'] ?? '')
    return one?.owner === owner.id ? one : refuse(404, 'Record not found')
  }
  function list(call: Call): Answer {
    const owner = ownerOf(call, 'read:statuses')
    const body = waiting.values().filter((scheduled) => scheduled.owner === owner.id)
    return { status: 200, body: body.map(show) }
  }
  function cancel(call: Call): Answer {
    waiting.delete(own(call, 'write:statuses').id)
    return { status: 200, body: {} }
  }
  const path = '/api/v1/scheduled_statuses'
  const routes: Route[] = [
    { method: 'GET', path, operation: 'scheduled', answer: list },
    {
      method: 'GET',
      path: `${path}/:id`,
      operation: 'scheduled',
      answer: (call) => ({ status: 200, body: show(own(call, 'read:statuses')) }),
    },
    { method: 'DELETE', path: `${path}/:id`, operation: 'cancel', answer: cancel },
  ]
  return {
    routes,
    /** One that still waits. */
    find(id: string) {
      const scheduled = waiting.get(id)
      return scheduled && show(scheduled)
    },
    assertLater(atMs: number): void {
      if (atMs >= clock.now() + earliestMs) return
      refuse(422, 'Validation failed: Scheduled at The scheduled date must be in the future')
    },
    add(made: Made, params: CreateInput, atMs: number) {
      const lastId = waiting.values().reduce((last, { id }) => Math.max(last, Number(id)), 0)
      const id = String(Math.max(clock.now(), lastId + 1))
      const one = { id, owner: made.owner, atMs, params, made }
      waiting.set(id, one)
      return show(one)
    },
    /** Publishes those that are due. */
    settle(): void {
      const due = waiting.values().filter(({ atMs }) => atMs <= clock.now())
      for (const { id, made, atMs } of due.toSorted((a, b) => a.atMs - b.atMs)) {
        waiting.delete(id)
        publish(made, atMs)
      }
    },
  }
}
