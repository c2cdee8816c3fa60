import diagnostics from 'node:diagnostics_channel'
import { runInNewContext } from 'node:vm'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { workerTable } from '../../functions/routes.ts'
import { localNames } from '../../infra/deploy/stacks/names.ts'
import { shortName } from '../../infra/local/service/functions.ts'
import { minuteMs } from '../../shared/time.ts'
import { type Resources, read } from '../infra/synth.ts'
import { type Datum, metricsIn } from './metrics.ts'
import type { Kit } from './start.ts'

const MetricShape = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
})
const Query = z.object({
  Id: z.string(),
  Expression: z.optional(z.string()),
  MetricStat: z.optional(z.object({ Metric: MetricShape, Period: z.number(), Stat: z.string() })),
})
export const AlarmShape = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  Namespace: z.optional(z.string()),
  MetricName: z.optional(z.string()),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
  Statistic: z.optional(z.string()),
  Metrics: z.optional(z.array(Query)),
  Threshold: z.number(),
  Period: z.optional(z.number()),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.optional(z.number()),
  ComparisonOperator: z.enum(['GreaterThanOrEqualToThreshold', 'LessThanThreshold']),
  TreatMissingData: z.enum(['breaching', 'notBreaching']),
  AlarmActions: z._default(z.array(z.unknown()), []),
  OKActions: z._default(z.array(z.unknown()), []),
})
type Alarm = z.infer<typeof AlarmShape>
export const CompositeShape = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  AlarmRule: z.unknown(),
  AlarmActions: z.array(z.unknown()),
  OKActions: z.array(z.unknown()),
})

/** A statistic of the values in a period; undefined without values ("CloudWatch statistics definitions", read 2026-11-26). */
const statisticOf = (statistic: string, values: readonly number[]): number | undefined => {
  const sum = values.reduce((total, value) => total + value, 0)
  const [, upTo] = /^PR\(:(\d+)\)$/.exec(statistic) ?? []
  if (values.length === 0) return undefined
  if (upTo !== undefined) return (100 * values.filter((value) => value <= Number(upTo)).length) / values.length
  const known: Record<string, number> = {
    Sum: sum,
    Average: sum / values.length,
    Maximum: Math.max(...values),
    SampleCount: values.length,
  }
  const value = known[statistic]
  if (value === undefined) throw new Error(`there is no implementation of the statistic ${statistic}`)
  return value
}

const bare = (name: string) => name.replace(/^social-\w+-/, '').replace(/^Social\/\w+$/, 'Social')
const textOf = (value: unknown) => (typeof value === 'string' ? bare(value) : 'of another stack')
const dimensionsOf = (dimensions: readonly { Name: string; Value: unknown }[]) =>
  dimensions.map(({ Name, Value }) => `${Name}=${textOf(Value)}`).join(' ')

/** Names of alarms as a rule has them: the ARNs of alarms of the same stack. */
const inRule = (rule: unknown, nameOf: (logicalId: string) => string): string => {
  if (typeof rule === 'string') return rule
  const [, parts] = z.parse(z.object({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) }), rule)['Fn::Join']
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      const id = z.parse(z.object({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }), part)['Fn::GetAtt'][0]
      return nameOf(id)
    })
    .join('')
}

/** The alarms of a stage, evaluated over what was measured. Names are without the stage. */
export const alarmsOf = (ops: Resources) => {
  const simple = new Map(read(ops, 'AWS::CloudWatch::Alarm', AlarmShape).map((alarm) => [bare(alarm.AlarmName), alarm]))
  const composite = new Map(
    read(ops, 'AWS::CloudWatch::CompositeAlarm', CompositeShape).map((alarm) => [bare(alarm.AlarmName), alarm]),
  )
  const nameOf = (id: string) => bare(String(ops[id]?.Properties['AlarmName']))
  /** The value of a metric in the period that ends so many periods before a time. */
  const valueIn = (
    data: readonly Datum[],
    metric: z.infer<typeof MetricShape>,
    stat: string,
    endMs: number,
    ms: number,
  ) =>
    statisticOf(
      stat,
      data
        .filter(({ namespace, name }) => namespace === bare(metric.Namespace) && name === metric.MetricName)
        .filter(({ dimensions }) => dimensions === dimensionsOf(metric.Dimensions))
        .filter(({ atMs }) => atMs > endMs - ms && atMs <= endMs)
        .map(({ value }) => value),
    )
  /** What an alarm compares, for the period that ends at a time; NaN without a value ("Metric math", read 2026-11-26). */
  const watched = (alarm: Alarm, data: readonly Datum[], endMs: number): number => {
    const { Metrics, Namespace = '', MetricName = '', Dimensions, Statistic = '', Period = 0 } = alarm
    if (Metrics === undefined) {
      return valueIn(data, { Namespace, MetricName, Dimensions }, Statistic, endMs, Period * 1000) ?? Number.NaN
    }
    const at = (id: string, end: number) => {
      const stat = Metrics.find(({ Id }) => Id === id)?.MetricStat
      if (stat === undefined) throw new Error(`an expression reads ${id}, which is no metric`)
      return valueIn(data, stat.Metric, stat.Stat, end, stat.Period * 1000)
    }
    const periodMs = (Metrics.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? 0) * 1000
    const evaluate = (expression: string, end: number): number => {
      const [, inner] = /^DIFF\((.*)\)$/.exec(expression) ?? []
      if (inner !== undefined) return evaluate(inner, end) - evaluate(inner, end - periodMs)
      const program = expression
        .replace(/FILL\((\w+), 0\)/g, (_, id: string) => String(at(id, end) ?? 0))
        .replace(/IF\((.*), (.*), (.*)\)/, '(($1) ? ($2) : ($3))')
        .replace(/\b[a-z]\w*/g, (id) => String(at(id, end) ?? Number.NaN))
      return Number(runInNewContext(program))
    }
    return evaluate(Metrics.find(({ Expression }) => Expression !== undefined)?.Expression ?? '', endMs)
  }
  const periodOf = ({ Period, Metrics }: Alarm) =>
    (Period ?? Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Period ?? 0) * 1000
  const isBreaching = (alarm: Alarm, value: number) => {
    if (Number.isNaN(value)) return alarm.TreatMissingData === 'breaching'
    return alarm.ComparisonOperator === 'LessThanThreshold' ? value < alarm.Threshold : value >= alarm.Threshold
  }
  /** Whether an alarm rings at a time. */
  const rings = (name: string, data: readonly Datum[], atMs: number): boolean => {
    const rule = composite.get(name)
    if (rule !== undefined) {
      const program = inRule(rule.AlarmRule, nameOf)
        .replace(/ALARM\("([\w-]+)"\)/g, (_, child: string) => String(rings(child, data, atMs)))
        .replaceAll(' AND ', ' && ')
        .replaceAll(' OR ', ' || ')
      return Boolean(runInNewContext(program))
    }
    const alarm = simple.get(name)
    if (alarm === undefined) throw new Error(`there is no alarm ${name}`)
    const periods = Array.from({ length: alarm.EvaluationPeriods }, (_, n) => atMs - n * periodOf(alarm))
    const breaching = periods.filter((endMs) => isBreaching(alarm, watched(alarm, data, endMs)))
    return breaching.length >= (alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods)
  }
  /** Alarms that notify someone. The others are parts of a composite alarm. */
  const telling = [...simple.values(), ...composite.values()].filter(({ AlarmActions }) => AlarmActions.length > 0)
  return { simple, composite, telling, names: telling.map(({ AlarmName }) => bare(AlarmName)).sort(), rings }
}

/** The patterns of metric filters, which are of JSON lines ("Filter pattern syntax", read 2026-11-26). */
const counters: Readonly<Record<string, (line: Record<string, unknown>) => boolean>> = {
  // The filter is on the log group of the workers. What requests log has a route or a limit.
  '{ $.level = "error" }': ({ level, route, limit }) => level === 'error' && (route ?? limit) === undefined,
  '{ ($.type = "platform.report") && ($.record.status != "success") }': ({ type, record }) =>
    type === 'platform.report' && (record as { status?: string }).status !== 'success',
  '{ ($.message = "message failed") || ($.message = "adapter failed") }': ({ message }) =>
    message === 'message failed' || message === 'adapter failed',
  '{ $.PostsPublished = 1 }': ({ PostsPublished }) => PostsPublished === 1,
  '{ $.PostsFailed = 1 }': ({ PostsFailed }) => PostsFailed === 1,
}
const Filter = z.object({
  FilterPattern: z.string(),
  MetricTransformations: z.tuple([
    z.object({ MetricName: z.string(), Dimensions: z._default(z.array(z.object({ Key: z.string() })), []) }),
  ]),
})

const PlanMessage = z.looseObject({ plan: z.object({ name: z.string() }) })
const workers = new Set(workerTable.map(({ name }) => name))

/**
 * Records what CloudWatch would measure of a service that runs here. `started` gives the lines that were logged, and the
 * queues. Throttles of Lambda and the reputation of emails exist only on AWS: a test adds them.
 */
export const recordMetrics = (app: Resources, clock: { now(): number }) => {
  const data: Datum[] = []
  const add = (namespace: string, name: string, dimensions: string, value = 1) =>
    void data.push({ namespace, name, dimensions, atMs: clock.now(), value })
  const filters = read(app, 'AWS::Logs::MetricFilter', Filter)
  let seen = 0
  /** Reads the lines that were logged since. */
  const readLines = (logged: readonly string[]) => {
    const fresh = logged.slice(seen)
    seen = logged.length
    for (const datum of metricsIn(fresh)) data.push({ ...datum, namespace: bare(datum.namespace) })
    for (const text of fresh) countLine(JSON.parse(text))
  }
  const countLine = (line: Record<string, unknown>) => {
    for (const { FilterPattern, MetricTransformations } of filters) {
      const matches = counters[FilterPattern]
      if (matches === undefined) throw new Error(`there is no implementation of the pattern ${FilterPattern}`)
      const [{ MetricName, Dimensions }] = MetricTransformations
      // The functions here have no versions: their lines count as those of the version that an alarm watches.
      if (matches(line)) add('Social', MetricName, Dimensions.map(({ Key }) => `${Key}=of another stack`).join(' '))
    }
  }
  const fail = (sent: unknown) => {
    if (workers.has(shortName(z.parse(PlanMessage, sent).plan.name)))
      countLine({ type: 'platform.report', record: { status: 'error' } })
  }
  diagnostics.subscribe('tracing:local.invocation:error', fail)
  onTestFinished(() => {
    diagnostics.unsubscribe('tracing:local.invocation:error', fail)
  })
  return {
    data,
    add,
    seeAnswer: (statusCode: number) => {
      add('AWS/ApiGateway', 'Count', 'ApiName=api')
      add('AWS/ApiGateway', '5XXError', 'ApiName=api', statusCode >= 500 ? 1 : 0)
    },
    /** Lets time pass minute by minute, and measures each. */
    async pass(kit: Kit, ms: number, each: () => Promise<unknown> | unknown = () => undefined) {
      for (const endMs = clock.now() + ms; clock.now() < endMs; ) {
        await kit.service.pass(Math.min(minuteMs, endMs - clock.now()))
        // Here, runs of the sweeper that would find nothing are left out.
        add('AWS/Lambda', 'Invocations', 'FunctionName=sweep')
        readLines(kit.logged)
        const dead = kit.service.queues.peek(localNames.deadLetters).length
        if (dead > 0) add('AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName=dead-letters', dead)
        await each()
      }
    },
  }
}
