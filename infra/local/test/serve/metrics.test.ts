import { expect, test } from 'vitest'
import { jsonLog, type Measurement, makeContext, measured } from '../../../../shared/context.ts'
import { makeMetrics, type Reading } from '../../serve/metrics.ts'

const settings = { METRICS: JSON.stringify({ namespace: 'social', byPlatform: true }) }

/** Metrics that have seen the log lines of these measurements, as functions write them. */
const see = (lines: readonly (readonly Measurement[])[], readings: readonly Reading[] = []) => {
  const metrics = makeMetrics(readings)
  const ctx = makeContext(settings)
  const log = jsonLog(metrics.see)
  for (const all of lines) log.info('attempt ended', { reason: 'of the line', ...measured(ctx, ...all) })
  return metrics
}

const linesOf = async (metrics: ReturnType<typeof see>, name: string) =>
  (await metrics.print()).split('\n').filter((line) => line.startsWith(`social_${name}`))

test('what functions measure is counted by platform and reason, in seconds', async () => {
  const by = { platform: 'bluesky' }
  const published: Measurement = { name: 'PostsPublished', value: 1, by }
  const metrics = see([
    [{ name: 'PublishLatenessMs', value: 120, by }, published],
    [{ name: 'PublishLatenessMs', value: 7_000, by }, published],
    [
      { name: 'PostsPublished', value: 0, by },
      { name: 'PostsFailed', value: 1, by: { ...by, reason: 'too_late' } },
    ],
    [{ name: 'OverdueWork', value: 1 }],
    [{ name: 'ApiEndNotices', value: 3 }],
    [{ name: 'ApiEndNotices', value: 2 }],
  ])
  expect(await linesOf(metrics, 'posts_')).toEqual([
    'social_posts_published_total{platform="bluesky"} 2',
    'social_posts_failed_total{platform="bluesky",reason="too_late"} 1',
  ])
  const late = await linesOf(metrics, 'publish_lateness_seconds')
  expect(late).toContain('social_publish_lateness_seconds_bucket{le="0.1",platform="bluesky"} 0')
  expect(late).toContain('social_publish_lateness_seconds_bucket{le="0.25",platform="bluesky"} 1')
  expect(late).toContain('social_publish_lateness_seconds_sum{platform="bluesky"} 7.12')
  expect(await linesOf(metrics, 'overdue')).toEqual(['social_overdue_work_total 1'])
  expect(await linesOf(metrics, 'api_end')).toEqual(['social_api_end_notices 2'])
})

test('lines without metrics, or that are no JSON, change nothing', async () => {
  const metrics = see([])
  const before = await linesOf(metrics, '')
  for (const line of ['', 'text', '{"_aws":1}', '{"_aws":', '{"PostsPublished":1}']) metrics.see(line)
  expect(await linesOf(metrics, '')).toEqual(before)
})

test('queues, disk, and backups are read at each scrape; what does not exist has no value', async () => {
  let count = 1
  let takenAtSeconds: number | undefined
  const metrics = see(
    [],
    [
      { name: 'queue_messages', help: 'Messages.', label: 'queue', read: () => [['one', count] as const] },
      { name: 'backup_timestamp_seconds', help: 'When.', read: () => takenAtSeconds },
    ],
  )
  expect(await linesOf(metrics, 'queue')).toEqual(['social_queue_messages{queue="one"} 1'])
  expect(await linesOf(metrics, 'backup')).toEqual([])
  count = 5
  takenAtSeconds = 1_700_000_000
  expect(await linesOf(metrics, 'queue')).toEqual(['social_queue_messages{queue="one"} 5'])
  expect(await linesOf(metrics, 'backup')).toEqual(['social_backup_timestamp_seconds 1700000000'])
})
