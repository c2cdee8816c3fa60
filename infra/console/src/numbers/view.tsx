import type { ComponentChildren } from 'preact'
import type { Client } from 'social-publishing-client'
import { labelOf } from '../messages.ts'
import { Empty, Loading, Properties } from '../parts.tsx'
import { to } from '../route.ts'
import { api, platformName, workspace, zone } from '../store.ts'
import { type Column, Table } from '../table.tsx'
import { formatDuration, formatMoment } from '../time.ts'
import { useRead } from '../use-read.ts'
import { Plot } from './plot.tsx'

type Posts = Awaited<ReturnType<Client['posts']['getStatistics']>>
type Outcomes = Pick<Posts, 'published' | 'failed' | 'successRate' | 'lateness'>
type Endpoint = Awaited<ReturnType<Client['webhooks']['getStatistics']>>['endpoints'][number]

/** A value that does not exist looks like none, and not like 0. */
const orNone = (value: number | null, format: (value: number) => string): string =>
  value === null ? '—' : format(value)

const percent = (share: number): string => `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)} %`
const count = (n: number): string => n.toLocaleString('en-US')

const outcomeColumns: Column<Outcomes>[] = [
  { name: 'Published', cell: ({ published }) => count(published) },
  { name: 'Failed', cell: ({ failed }) => count(failed) },
  { name: 'Success', cell: ({ successRate }) => orNone(successRate, percent) },
  { name: 'Typical delay', cell: ({ lateness }) => orNone(lateness.p50Ms, formatDuration) },
  { name: 'Slowest 1 %', cell: ({ lateness }) => orNone(lateness.p99Ms, formatDuration) },
  { name: 'Worst', cell: ({ lateness }) => orNone(lateness.maxMs, formatDuration) },
]

const Part = ({ title, means, children }: { title: string; means: string; children: ComponentChildren }) => (
  <article class="card">
    <h2>{title}</h2>
    <p class="soft">{means}</p>
    {children}
  </article>
)

const Lateness = ({ days, lateness }: Posts) => (
  <Part
    title="Delay"
    means="How long after its scheduled time a post was sent, retries included. Later posts of a thread aren’t measured."
  >
    <Properties
      isLarge
      values={{
        Typical: orNone(lateness.p50Ms, formatDuration),
        'Slowest 1 %': orNone(lateness.p99Ms, formatDuration),
        Worst: orNone(lateness.maxMs, formatDuration),
        'Posts measured': count(lateness.count),
      }}
    />
    <Plot
      label="Delay by day"
      days={days.map(({ date }) => date)}
      series={[
        { name: 'Typical', color: '--good', values: days.map((day) => day.lateness.p50Ms) },
        { name: 'Slowest 1 %', color: '--accent', values: days.map((day) => day.lateness.p99Ms) },
        { name: 'Worst', color: '--bad', values: days.map((day) => day.lateness.maxMs) },
      ]}
      format={formatDuration}
      isLogarithmic
    />
  </Part>
)

const Success = ({ days, platforms, failures, ...all }: Posts) => (
  <Part title="Success" means="Share of posts that were published.">
    <Properties
      isLarge
      values={{
        Success: orNone(all.successRate, percent),
        Published: count(all.published),
        Failed: count(all.failed),
        Canceled: count(all.cancelled),
        'In progress': count(all.inProgress),
      }}
    />
    <Plot
      label="Published and failed posts by day"
      days={days.map(({ date }) => date)}
      series={[
        { name: 'Published', color: '--good', values: days.map(({ published }) => published) },
        { name: 'Failed', color: '--bad', values: days.map(({ failed }) => failed) },
      ]}
      format={count}
    />
    <h3>By day</h3>
    <Table
      label="Posts by day"
      columns={[{ name: 'Day', cell: ({ date }) => date }, ...outcomeColumns]}
      rows={days.toReversed()}
      keyOf={({ date }) => date}
    />
    <h3>By platform</h3>
    <Table
      label="Posts by platform"
      columns={[{ name: 'Platform', cell: ({ platform }) => platformName(platform) }, ...outcomeColumns]}
      rows={platforms}
      keyOf={({ platform }) => platform}
    />
    <h3>Failed, by reason</h3>
    {failures.length === 0 ? (
      <p>No failed posts.</p>
    ) : (
      <>
        <Table
          label="Failed posts by reason"
          columns={[
            { name: 'Platform', cell: ({ platform }) => platformName(platform) },
            { name: 'Reason', cell: ({ reason }) => (reason === null ? '—' : labelOf(reason)) },
            { name: 'Posts', cell: (row) => count(row.count) },
          ]}
          rows={failures}
          keyOf={({ platform, reason }) => `${platform} ${reason}`}
        />
        <p>
          <a href={to('calendar', { mode: 'list', status: 'failed' })}>Show failed posts</a>
        </p>
      </>
    )}
  </Part>
)

const endpointColumns: Column<Endpoint>[] = [
  { name: 'Endpoint', cell: ({ name }) => name },
  { name: 'Attempts', cell: (row) => count(row.count) },
  { name: 'Success', cell: ({ successRate }) => orNone(successRate, percent) },
  { name: 'Failed', cell: ({ failed }) => count(failed) },
  { name: 'Gave up', cell: ({ exhausted }) => count(exhausted) },
  { name: 'Waiting', cell: ({ pending }) => count(pending) },
  { name: 'Response time', cell: ({ duration }) => orNone(duration.p50Ms, formatDuration) },
  { name: 'Slowest response', cell: ({ duration }) => orNone(duration.p99Ms, formatDuration) },
  { name: 'Time to deliver', cell: ({ latency }) => orNone(latency.p50Ms, formatDuration) },
  { name: 'Slowest 1 %', cell: ({ latency }) => orNone(latency.p99Ms, formatDuration) },
  {
    name: 'Errors',
    cell: ({ errors }) => errors.map(({ error, count: n }) => `${error} (${n})`).join(', ') || '—',
  },
]

const Deliveries = () => {
  const [read] = useRead(() => api().webhooks.getStatistics(), [workspace.value?.id])
  if (read === undefined) return <Loading />
  return (
    <Part
      title="Webhooks"
      means="The last 500 attempts per endpoint, without tests. Time to deliver counts from the event, retries included."
    >
      {read.endpoints.length === 0 ? (
        <Empty>
          No endpoints yet. <a href={to('webhooks')}>Webhooks</a>
        </Empty>
      ) : (
        <Table
          label="Deliveries by endpoint"
          columns={endpointColumns}
          rows={read.endpoints}
          keyOf={({ endpointId }) => endpointId}
        />
      )}
    </Part>
  )
}

const OfPosts = () => {
  const [read] = useRead(() => api().posts.getStatistics(), [workspace.value?.id])
  if (read === undefined) return <Loading />
  if (read.from === null || read.to === null) return <Empty>No posts have been published yet.</Empty>
  const [from, until] = [read.from, read.to].map((moment) => formatMoment(Date.parse(moment), zone.value))
  return (
    <>
      <p class="soft">
        The last {count(read.count)} posts, from {from} to {until}. Measured at{' '}
        {formatMoment(Date.parse(read.measuredAt), zone.value)}.
      </p>
      <Lateness {...read} />
      <Success {...read} />
    </>
  )
}

/** How late posts are, how they end, and how webhooks arrive. */
export const NumbersView = () => (
  <section>
    <h1>Reliability</h1>
    <OfPosts />
    {workspace.value?.role !== 'member' && <Deliveries />}
    <p>
      Limits and usage: <a href={to('settings/usage')}>Usage</a>
    </p>
  </section>
)
