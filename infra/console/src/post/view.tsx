import { retryNow } from '../attention.tsx'
import { cancelPosts } from '../calendar/cancel.ts'
import { canRetry, momentOfPost } from '../calendar/moment.ts'
import { isEditable } from '../compose/edit.ts'
import { knownPlatform, usePlatforms } from '../compose/platforms.ts'
import { Action } from '../form.tsx'
import { accountName, Empty, Loading, Mark, PostIcon, State, wordOf } from '../parts.tsx'
import { go, route, to } from '../route.ts'
import { attempt, say } from '../service.ts'
import { api, changes, type Post, platformName, workspace, zone } from '../store.ts'
import { Table } from '../table.tsx'
import { dayIn, formatDuration, formatMoment, now } from '../time.ts'
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
        <Empty>No webhooks sent</Empty>
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

/** Changes or deletes a post at its platform, where that permits it. */
const Live = ({ post, onDone }: { post: Post; onDone: () => void }) => {
  const { id, platform, content } = post
  const { edit, delete: canDelete } = knownPlatform(platform)?.live ?? {}
  const name = platformName(platform)
  return (
    <>
      {edit && (
        <Action
          name={`Edit on ${name}`}
          fields={[{ name: 'content', label: 'Text', type: 'lines', value: content }]}
          button="Save"
          call={({ text }) => api().posts.update(id, { content: text('content') }, { query: { live: 'true' } })}
          done={`${name} is changing the post.`}
          onDone={onDone}
        />
      )}
      {canDelete && (
        <Action
          name={`Delete from ${name}`}
          text={`This deletes the post on ${name} for everyone. You can’t undo it.`}
          button="Delete"
          call={() => api().posts.delete(id, { live: 'true' })}
          done={`${name} is deleting the post.`}
          onDone={onDone}
        />
      )}
    </>
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
          <PostIcon post={other} />{' '}
          {other.thread === null ? accountName(other) : `${other.thread.position} of ${other.thread.totalTweets}`}{' '}
          <Mark status={other.status} />
          <span class="unseen">{wordOf(other.status)}</span>
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
  usePlatforms()
  const [shown, readAgain] = useRead(() => read(id), [id], { isPending, pauseMs })
  if (shown === undefined) return <Loading />
  const { post, attempts, events } = shown
  const remove = async () => {
    if ((await attempt(() => api().posts.delete(post.id))) === undefined) return
    say('Post deleted')
    changes.value += 1
    go(to('calendar', { day: dayIn(momentOfPost(post), zone.value) }))
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
      <h2>Activity</h2>
      <Journey
        steps={journeyOf(post, attempts, events ?? [])}
        plannedMs={Date.parse(post.plannedAt ?? post.createdAt)}
      />
      {events !== undefined && <Webhooks events={events} onSent={readAgain} />}
      <div class="actions">
        {isEditable(post) && (
          <a class="button main" href={to('compose', { post: id })}>
            Edit
          </a>
        )}
        {canRetry(post) && (
          <button type="button" onClick={() => retryNow(post)}>
            Retry now
          </button>
        )}
        {post.status === 'scheduled' && (
          <button type="button" onClick={() => cancelPosts([post])}>
            Cancel
          </button>
        )}
        <a class="button" href={to('compose', { copy: id })}>
          Duplicate
        </a>
        {post.status === 'published' && post.liveDeletedAt === null && <Live post={post} onDone={readAgain} />}
        {post.status !== 'scheduled' && (
          <button type="button" onClick={remove}>
            Delete from Social Publishing
          </button>
        )}
      </div>
    </section>
  )
}
