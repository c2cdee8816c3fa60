import type { Client, Post } from 'social-publishing-client'
import { formatDuration } from '../time.ts'

type Attempts = Awaited<ReturnType<Client['posts']['listAttempts']>>
type Events = Awaited<ReturnType<Client['posts']['listDeliveries']>>['items']

/** One thing that happened to a post, or that comes next. */
export interface Step {
  name: string
  /** When, in milliseconds since 1970; undefined if it is not known. */
  startMs: number | undefined
  endMs?: number | undefined
  text: string
  state: 'done' | 'bad' | 'next'
}

const msOf = (moment: string | null): number | undefined => (moment === null ? undefined : Date.parse(moment))

const preparation = ({ imports }: Post): Step[] => {
  if (imports.length === 0) return []
  const failed = imports.find(({ status }) => status === 'failed')
  const ready = imports.filter(({ status }) => status === 'ready').length
  const text = failed?.error ?? `${ready} of ${imports.length} files fetched and checked.`
  const state = failed !== undefined ? 'bad' : ready === imports.length ? 'done' : 'next'
  return [{ name: 'Files', startMs: undefined, text, state }]
}

const attemptsOf = ({ items }: Attempts): Step[] =>
  items.map(({ startedAt, finishedAt, outcome, summary, failure }, n) => {
    const [startMs, endMs] = [msOf(startedAt), msOf(finishedAt)]
    const took = startMs === undefined || endMs === undefined ? '' : ` It took ${formatDuration(endMs - startMs)}.`
    const platform = [failure?.httpStatus, failure?.platformCode, failure?.platformMessage].filter(Boolean).join(' · ')
    return {
      name: items.length === 1 ? 'Sent' : `Attempt ${n + 1}`,
      startMs,
      endMs,
      text: `${summary}${took}${platform === '' ? '' : ` The network answered: ${platform}`}`,
      state: outcome === 'published' ? 'done' : outcome === 'in_progress' ? 'next' : 'bad',
    }
  })

const endOf = (post: Post, { nextAttemptAt }: Attempts): Step[] => {
  if (post.status === 'published') {
    return [
      {
        name: 'Published',
        startMs: msOf(post.publishedAt),
        text: post.publishedPostUrl ?? 'It is live.',
        state: 'done',
      },
    ]
  }
  if (post.status === 'failed') {
    const safe = post.retrySafe === false ? ' It may be live. Check the network before you retry.' : ''
    return [{ name: 'Failed', startMs: undefined, text: `${post.error ?? ''}${safe}`, state: 'bad' }]
  }
  if (post.status === 'cancelled')
    return [{ name: 'Canceled', startMs: undefined, text: 'You canceled this post.', state: 'bad' }]
  const text = nextAttemptAt === null ? 'Publishing…' : 'We’ll publish it then.'
  return [{ name: 'Up next', startMs: msOf(nextAttemptAt), text, state: 'next' }]
}

const commentOf = ({ firstComment }: Post): Step[] =>
  firstComment === null
    ? []
    : [
        {
          name: 'First comment',
          startMs: msOf(firstComment.publishedAt),
          text: firstComment.error ?? firstComment.url ?? firstComment.text,
          state: firstComment.status === 'published' ? 'done' : firstComment.status === 'scheduled' ? 'next' : 'bad',
        },
      ]

/** How the last event of a post that has ended reached the endpoints; nothing where none is subscribed. */
const receptionOf = ({ status }: Post, events: Events): Step[] => {
  const { deliveries } = events.at(-1) ?? { deliveries: [] }
  if (status === 'scheduled' || deliveries.length === 0) return []
  const lastOf = [...Map.groupBy(deliveries, ({ endpointId }) => endpointId).values()].map((own) => own.at(-1))
  const received = lastOf.filter((delivery) => delivery?.status === 'succeeded')
  const isWaiting = lastOf.some((delivery) => delivery?.status === 'pending' || delivery?.status === 'failed')
  const spans = deliveries.flatMap(({ requestedAt, durationMs }) =>
    requestedAt === null ? [] : [{ startMs: Date.parse(requestedAt), durationMs: durationMs ?? 0 }],
  )
  return [
    {
      name: 'Webhooks',
      startMs: spans.length === 0 ? undefined : Math.min(...spans.map(({ startMs }) => startMs)),
      endMs: spans.length === 0 ? undefined : Math.max(...spans.map(({ startMs, durationMs }) => startMs + durationMs)),
      text: `Received by ${received.length} of ${lastOf.length} ${lastOf.length === 1 ? 'endpoint' : 'endpoints'}.`,
      state: received.length === lastOf.length ? 'done' : isWaiting ? 'next' : 'bad',
    },
  ]
}

/** What happened to a post from its request on, in order, and what comes next. */
export const journeyOf = (post: Post, attempts: Attempts, events: Events): Step[] => [
  {
    name: 'Created',
    startMs: Date.parse(post.createdAt),
    text: `ID ${post.id}`,
    state: 'done',
  },
  ...preparation(post),
  ...(post.plannedAt === null
    ? []
    : [{ name: 'Scheduled for', startMs: Date.parse(post.plannedAt), text: '', state: 'done' } as const]),
  ...attemptsOf(attempts),
  ...endOf(post, attempts),
  ...commentOf(post),
  ...receptionOf(post, events),
]
