import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import * as z from 'zod/mini'
import type { MetricName } from '../../../shared/context.ts'

type Metric = readonly [kind: 'seconds' | 'count' | 'last', name: string, help: string]

/** The metrics of the functions as Prometheus names them: units of the base, and counters with `_total`. */
const metrics: Readonly<Record<MetricName, Metric>> = {
  PublishLatenessMs: ['seconds', 'publish_lateness_seconds', 'How late the first attempt of a post began.'],
  PostDelayMs: ['seconds', 'post_delay_seconds', 'How late a post is that waits for its platform.'],
  DeliveryLatencyMs: ['seconds', 'delivery_latency_seconds', 'From an event to the start of its first delivery.'],
  PostsPublished: ['count', 'posts_published_total', 'Posts that were published.'],
  PostsFailed: ['count', 'posts_failed_total', 'Posts that failed, by reason.'],
  OperatorActionNeeded: ['count', 'operator_action_needed_total', 'Calls that a platform refuses because of your app.'],
  OverdueWork: ['count', 'overdue_work_total', 'Queues whose work was resumed for fifteen minutes without success.'],
  UncountedCalls: ['count', 'uncounted_calls_total', 'Calls that could not be counted.'],
  UnsentEmails: ['count', 'unsent_emails_total', 'Emails that were not accepted.'],
  ApiEndNotices: ['last', 'api_end_notices', 'Ends of APIs of platforms that are near.'],
}

const prefix = 'social_'
const labelNames = ['platform', 'reason'] as const
const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

/** A line of the log with metrics (CloudWatch guide, "Specification: Embedded metric format", read 2026-11-26). */
const Line = z.looseObject({
  platform: z.optional(z.string()),
  reason: z.optional(z.string()),
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
})

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

type Labels = Partial<Record<(typeof labelNames)[number], string>>

const makeOne = (registry: Registry, [kind, short, help]: Metric): ((value: number, labels: Labels) => void) => {
  const options = { name: `${prefix}${short}`, help, labelNames, registers: [registry] }
  if (kind === 'seconds') {
    const histogram = new Histogram({ ...options, buckets })
    return (value, labels) => histogram.observe(labels, value / 1000)
  }
  if (kind === 'count') {
    const counter = new Counter(options)
    return (value, labels) => counter.inc(labels, value)
  }
  const gauge = new Gauge(options)
  return (value, labels) => gauge.set(labels, value)
}

/** What is read at each scrape: a value, or values by a label. */
export interface Reading {
  name: string
  help: string
  label?: string
  read(): number | undefined | Iterable<readonly [string, number]>
}

export interface Metrics {
  /** Takes a line of the functions' log: the metrics in it are what CloudWatch reads on AWS. */
  see(line: string): void
  /** In the text format of Prometheus. */
  print(): Promise<string>
}

export const makeMetrics = (
  readings: readonly Reading[],
  seeValue: (name: string, value: number) => void = () => {},
): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const made = new Map(Object.entries(metrics).map(([name, metric]) => [name, makeOne(registry, metric)]))
  for (const { name, help, label, read } of readings) {
    const labelled = label === undefined ? [] : [label]
    new Gauge({
      name: `${prefix}${name}`,
      help,
      labelNames: labelled,
      registers: [registry],
      collect() {
        const value = read()
        if (value === undefined) return this.remove()
        this.reset()
        if (typeof value === 'number') this.set(value)
        else for (const [of, each] of value) this.set({ [labelled[0] ?? '']: of }, each)
      },
    })
  }
  return {
    see(text) {
      if (!text.includes('"_aws"')) return
      const { data: line } = z.safeParse(Line, parse(text))
      for (const { Dimensions, Metrics: all } of line?._aws.CloudWatchMetrics ?? [])
        for (const { Name } of all) {
          const value = line?.[Name]
          const names = new Set(Dimensions.flat())
          const labels = Object.fromEntries(
            labelNames.flatMap((name) => (names.has(name) && line?.[name] !== undefined ? [[name, line[name]]] : [])),
          )
          if (typeof value !== 'number') continue
          made.get(Name)?.(value, labels)
          seeValue(Name, value)
        }
    },
    print: () => registry.metrics(),
  }
}
