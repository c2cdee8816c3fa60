import { useState } from 'preact/hooks'
import { retryNow } from '../attention.tsx'
import { momentOfPost } from '../calendar/moment.ts'
import { movePost } from '../calendar/move.ts'
import { accountName, Empty, Loading, Mark, MomentFields, PlatformIcon, State } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { attempt, say } from '../service.ts'
import { api, changes, type Post, workspace, zone } from '../store.ts'
import { Table } from '../table.tsx'
import { clockIn, dayIn, formatDuration, formatMoment, momentOf, now } from '../time.ts'
import { useRead } from '../use-read.ts'
import { columnsOf, isDue } from '../webhooks/deliveries.tsx'
import { Files } from './files.tsx'
import { journeyOf, type Step } from './journey.ts'

/** How often a post that is on its way is read again, in milliseconds. */
const pauseMs = 3_000

/** Members of a workspace may not read its webhooks. */
const readEvents = async (id: string) =>
  workspace.value?.role === 'member' ? undefined : (await api().posts.listDeliveries(id)).items
type Events = NonNullable<Awaited<ReturnType<typeof readEvents>>>

const read = async (id: string) => {
  const [post, attempts, events] = await Promise.all([
    api().posts.get(id),
    api().posts.listAttempts(id),
    readEvents(id),
  ])
  return { post, attempts, events }
}

/** The attempts to deliver the events of a post. */
const Webhooks = ({ events, onSent }: { events: Events; onSent: () => void }) => {
  const [endpoints] = useRead(() => api().webhooks.list(), [])
  const nameOf = (id: string) => endpoints?.find((endpoint) => endpoint.id === id)?.name ?? id
  const rows = events.flatMap(({ deliveries }) => deliveries)
  return (
    <>
      <h2>Webhooks</h2>
      {rows.length === 0 ? (
        <Empty>No event of this post was sent to a webhook endpoint.</Empty>
      ) : (
        <Table
          label="Deliveries"
          columns={[{ name: 'Endpoint', cell: ({ endpointId }) => nameOf(endpointId) }, ...columnsOf(onSent)]}
          rows={rows}
          keyOf={({ endpointId, id }) => `${endpointId}${id}`}
        />
      )}
    </>
  )
}

/** The part of the journey after the planned time, as bars: what comes before takes days. */
const Bar = ({ step, fromMs, toMs }: { step: Step; fromMs: number; toMs: number }) => {
  if (step.startMs === undefined || step.startMs < fromMs || toMs <= fromMs) return null
  const share = (ms: number) => (100 * (ms - fromMs)) / (toMs - fromMs)
  const x = share(step.startMs)
  const width = Math.max(1, share(step.endMs ?? step.startMs) - x)
  return (
    <svg class={`wave ${step.state}`} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect x="0" y="0" width="100" height="6" class="rail" />
      <rect x={Math.min(x, 99)} y="0" width={width} height="6" rx="1" />
    </svg>
  )
}

const Journey = ({ steps, plannedMs }: { steps: readonly Step[]; plannedMs: number }) => {
  const ends = steps.flatMap(({ startMs, endMs }) => [startMs, endMs].filter((ms) => ms !== undefined))
  const toMs = Math.max(...ends)
  return (
    <ol class="journey">
      {steps.map((step, n) => (
        <li key={`${n}${step.name}`} class={step.state}>
          <span class="name">{step.name}</span>
          <span class="when">
            {step.startMs === undefined ? '' : formatMoment(step.startMs, zone.value)}
            {step.startMs !== undefined &&
            step.startMs > plannedMs &&
            /^(?:Sent|Attempt|Published|First|Webhooks)/.test(step.name)
              ? ` · ${formatDuration(step.startMs - plannedMs)} after its time`
              : ''}
          </span>
          <span class="text">
            {/^https:\/\//.test(step.text) ? (
              <a href={step.text} rel="noreferrer">
                {step.text}
              </a>
            ) : (
              step.text
            )}
          </span>
          <Bar step={step} fromMs={plannedMs} toMs={toMs} />
        </li>
      ))}
    </ol>
  )
}

const Change = ({ post }: { post: Post }) => {
  const [content, setContent] = useState(post.content)
  const [moment, setMoment] = useState({
    day: dayIn(momentOfPost(post), zone.value),
    time: clockIn(momentOfPost(post), zone.value),
  })
  const save = async () => {
    const momentMs = momentOf(`${moment.day}T${moment.time}`, zone.value)
    if (momentMs === undefined) return say(`There is no such time in ${zone.value}.`, { isBad: true })
    if (content === post.content) return void (await movePost(post, momentMs))
    const scheduledAt = new Date(momentMs).toISOString()
    const isMoved = momentMs !== momentOfPost(post) || post.status === 'failed'
    const changed = await attempt(() =>
      api().posts.update(post.id, { content, ...(isMoved ? { scheduledAt } : {}) }, { ifMatch: `"${post.version}"` }),
    )
    if (changed === undefined) return
    say('The post is changed.')
    changes.value += 1
  }
  return (
    <form
      class="change"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <label class="field">
        Text
        <textarea rows={5} value={content} onInput={({ currentTarget }) => setContent(currentTarget.value)} />
      </label>
      <div class="moment">
        <MomentFields {...moment} onChange={(values) => setMoment({ ...moment, ...values })} />
      </div>
      <button class="main" type="submit">
        {post.status === 'failed' ? 'Try again at this time' : 'Save'}
      </button>
    </form>
  )
}

/** The posts of the same request, each with its status. */
const Siblings = ({ post }: { post: Post }) => {
  const groupId = post.groupId ?? ''
  const [page] = useRead(() => api().posts.list({ groupId, limit: 100 }), [groupId])
  if (page === undefined || page.items.length < 2) return null
  const inOrder = page.items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return (
    <nav class="siblings" aria-label="Posts of the same request">
      {inOrder.map((other) => (
        <a key={other.id} href={to(`post/${other.id}`)} aria-current={other.id === post.id ? 'page' : undefined}>
          <PlatformIcon platform={other.platform} />{' '}
          {other.thread === null ? accountName(other) : `${other.thread.position} of ${other.thread.totalTweets}`}{' '}
          <Mark status={other.status} />
          <span class="unseen">{other.status}</span>
        </a>
      ))}
    </nav>
  )
}

/** Whether the post, a file that is fetched for it, or the delivery of an event changes within seconds. */
const isPending = ({ post, events }: Awaited<ReturnType<typeof read>>): boolean => {
  const isOnItsWay = post.status === 'scheduled' && momentOfPost(post) < now() + 60_000
  const isFetched =
    Date.parse(post.createdAt) > now() - 60_000 && post.imports.some(({ status }) => status === 'pending')
  const last = events?.at(-1)
  const isNew = last !== undefined && Date.parse(last.createdAt) > now() - 10_000
  return isOnItsWay || isFetched || isNew || (events?.some(({ deliveries }) => deliveries.some(isDue)) ?? false)
}

/** A post with its journey, and what can be done with it. */
export const PostView = () => {
  const { id } = route.value
  const [shown, readAgain] = useRead(() => read(id), [id], { isPending, pauseMs })
  if (shown === undefined) return <Loading />
  const { post, attempts, events } = shown
  const act = async (done: string, call: () => Promise<unknown>, isGone = false) => {
    if ((await attempt(call)) === undefined) return
    say(done)
    changes.value += 1
    if (isGone) go(to('calendar', { day: dayIn(momentOfPost(post), zone.value) }))
  }
  return (
    <section class="post">
      <h1>Post to {accountName(post)}</h1>
      <p>
        <State status={post.status} /> <span class="soft">{formatMoment(momentOfPost(post), zone.value)}</span>
      </p>
      <Siblings post={post} />
      <blockquote>{post.content}</blockquote>
      {post.mediaUrls.length > 0 && <Files post={post} />}
      {post.mediaError !== null && <p class="alert">{post.mediaError}</p>}
      <h2>Journey</h2>
      <Journey
        steps={journeyOf(post, attempts, events ?? [])}
        plannedMs={Date.parse(post.plannedAt ?? post.createdAt)}
      />
      {events !== undefined && <Webhooks events={events} onSent={readAgain} />}
      {(post.status === 'scheduled' || (post.status === 'failed' && post.retrySafe !== false)) && (
        <>
          <h2>Change</h2>
          <Change key={post.version} post={post} />
        </>
      )}
      <div class="actions">
        {post.status === 'failed' && post.retrySafe !== false && (
          <button type="button" onClick={() => retryNow(post)}>
            Retry now
          </button>
        )}
        {post.status === 'scheduled' && (
          <button type="button" onClick={() => act('The post is cancelled.', () => api().posts.cancel(post.id))}>
            Cancel the post
          </button>
        )}
        {post.status !== 'scheduled' && (
          <button
            type="button"
            onClick={() => act('The post is deleted here.', () => api().posts.delete(post.id), true)}
          >
            Delete here
          </button>
        )}
      </div>
    </section>
  )
}
