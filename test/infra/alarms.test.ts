import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { workerTable } from '../../functions/routes.ts'
import { namesOf, queueNames } from '../../infra/stacks/names.ts'
import { metricNames } from '../../shared/context.ts'
import { physical, read, synthesize } from './synth.ts'

const { app, ops } = synthesize()
const { metricNamespace } = namesOf('test')

const MetricShape = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
})
const AlarmShape = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  /** Of one metric, or in an expression. */
  Namespace: z.optional(z.string()),
  MetricName: z.optional(z.string()),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
  Metrics: z.optional(
    z.array(
      z.object({
        Id: z.string(),
        Expression: z.optional(z.string()),
        MetricStat: z.optional(z.object({ Metric: MetricShape })),
      }),
    ),
  ),
  Threshold: z.number(),
  Period: z.optional(z.number()),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number(),
  ComparisonOperator: z.string(),
  TreatMissingData: z.string(),
  AlarmActions: z.array(z.unknown()),
  OKActions: z.array(z.unknown()),
})
type AlarmOf = z.infer<typeof AlarmShape>
const alarms = new Map(read(ops, 'AWS::CloudWatch::Alarm', AlarmShape).map((alarm) => [alarm.AlarmName, alarm]))

const FilterShape = z.object({
  FilterPattern: z.string(),
  LogGroupName: z.unknown(),
  MetricTransformations: z.array(
    z.object({
      MetricName: z.string(),
      MetricNamespace: z.string(),
      MetricValue: z.string(),
      DefaultValue: z.optional(z.number()),
    }),
  ),
})
const filters = read(app, 'AWS::Logs::MetricFilter', FilterShape)

test('the alarms, each with an action when it begins and when it ends', () => {
  expect([...alarms.keys()].sort()).toEqual(
    [
      'api-5xx-rate',
      'dead-letters-messages',
      'email-reputation',
      'failed-invocations',
      'lambda-throttled',
      'overdue-work',
      'publish-lateness',
      'schedules-dropped',
      'sweep-silent',
      'table-throttled',
      'uncounted-calls',
      'unsent-emails',
      'worker-logged-errors',
    ].map(physical),
  )
  for (const { AlarmActions, OKActions, AlarmDescription } of alarms.values()) {
    expect([AlarmActions.length, OKActions.length]).toEqual([1, 1])
    expect(AlarmDescription).toMatch(/\.$/)
  }
})

/** The values of a metric, one for each period; undefined where it has none. */
type Series = readonly (number | undefined)[]

/** The value of an expression of metric math at a period, as far as the alarms use it (CloudWatch guide, "Metric math"). */
const valueAt = (expression: string, series: Readonly<Record<string, Series>>, period: number): number => {
  const [, inner] = /^DIFF\((.*)\)$/.exec(expression) ?? []
  if (inner !== undefined) return valueAt(inner, series, period) - valueAt(inner, series, period - 1)
  const program = expression
    .replace(/FILL\((\w+), 0\)/g, (_, name: string) => String(series[name]?.[period] ?? 0))
    .replace(/IF\((.*), (.*), (.*)\)/, '(($1) ? ($2) : ($3))')
    .replace(/\b[a-z]\w*/g, (name) => String(series[name]?.[period] ?? Number.NaN))
  return Number(runInNewContext(program))
}

/** Whether an alarm rings at the last of these periods; a metric by itself has the name `value`. */
const rings = (name: string, series: Readonly<Record<string, Series>>): boolean => {
  const alarm = alarms.get(physical(name)) as AlarmOf
  const expression = alarm.Metrics?.find((metric) => metric.Expression !== undefined)?.Expression ?? 'value'
  const used = (alarm.Metrics ?? []).filter(({ MetricStat }) => MetricStat).map(({ Id }) => Id)
  expect(Object.keys(series).sort()).toEqual(expression === 'value' ? ['value'] : used.sort())
  const length = Math.max(...Object.values(series).map((values) => values.length))
  const last = Array.from({ length: alarm.EvaluationPeriods }, (_, n) => valueAt(expression, series, length - 1 - n))
  return last.filter((value) => value >= alarm.Threshold).length >= alarm.DatapointsToAlarm
}

test('a message that is given up raises an alarm, and the next one again', () => {
  const alarm = alarms.get(physical('dead-letters-messages'))
  expect(alarm?.AlarmDescription).toContain('DeadLetterQueueSourceArn')
  expect(alarm?.Metrics?.find(({ MetricStat }) => MetricStat)?.MetricStat?.Metric).toMatchObject({
    MetricName: 'ApproximateNumberOfMessagesVisible',
    Dimensions: [{ Name: 'QueueName', Value: physical('dead-letters') }],
  })
  const messages = [undefined, 1, 1, 1, 2, 2, 0]
  const ringing = messages.map(
    (_, n) => n > 0 && rings('dead-letters-messages', { messages: messages.slice(0, n + 1) }),
  )
  expect(ringing).toEqual([false, true, false, false, true, false, false])
})

test('a post that is more than a minute late at its first attempt raises an alarm', () => {
  expect([[200], [59_999], [61_000]].map((value) => rings('publish-lateness', { value }))).toEqual([false, false, true])
})

test('two failed requests in a quiet hour raise no alarm, and errors that go on do', () => {
  const quiet = { errors: [0, 2, undefined], requests: [3, 4, undefined] }
  const once = { errors: [0, 30, 0], requests: [1000, 1000, 1000] }
  const on = { errors: [0, 30, 11], requests: [1000, 1000, 1000] }
  expect([quiet, once, on].map((series) => rings('api-5xx-rate', series))).toEqual([false, false, true])
  expect([[1], [2], [3]].map((value) => rings('failed-invocations', { value }))).toEqual([false, false, true])
})

test('writes that are throttled at the table or an index raise an alarm', () => {
  const none = [undefined, undefined]
  const some = { m0: [4, 6], m1: [6, 4], m2: none }
  expect([{ m0: none, m1: none, m2: none }, some].map((series) => rings('table-throttled', series))).toEqual([
    false,
    true,
  ])
})

test('schedules that fail and a bad reputation of emails raise an alarm', () => {
  expect(rings('schedules-dropped', { m0: [undefined], m1: [undefined] })).toBe(false)
  expect(rings('schedules-dropped', { m0: [undefined], m1: [1] })).toBe(true)
  expect(rings('email-reputation', { bounces: [0.02], complaints: [0.0001] })).toBe(false)
  expect(rings('email-reputation', { bounces: [0.031], complaints: [0] })).toBe(true)
  expect(rings('email-reputation', { bounces: [0], complaints: [0.0006] })).toBe(true)
})

test('a sweeper that does not run raises an alarm, because silence counts', () => {
  const alarm = alarms.get(physical('sweep-silent'))
  expect(alarm).toMatchObject({
    Namespace: 'AWS/Lambda',
    MetricName: 'Invocations',
    Dimensions: [{ Name: 'FunctionName', Value: physical('sweep') }],
    ComparisonOperator: 'LessThanThreshold',
    TreatMissingData: 'breaching',
    Threshold: 1,
  })
  expect((alarm?.Period ?? 0) * (alarm?.EvaluationPeriods ?? 0)).toBe(15 * 60)
  const others = [...alarms.values()].filter(({ AlarmName }) => AlarmName !== physical('sweep-silent'))
  for (const { TreatMissingData } of others) expect(TreatMissingData).toBe('notBreaching')
})

test('each metric of our own that an alarm reads is measured by a line, or counted by a filter', () => {
  const counted = filters.flatMap(({ MetricTransformations }) => MetricTransformations)
  const names = [...metricNames, ...counted.map(({ MetricName }) => MetricName)]
  const own = [...alarms.values()].filter(({ Namespace }) => Namespace === metricNamespace)
  expect(own).toHaveLength(6)
  for (const { MetricName } of own) expect(names).toContain(MetricName)
  // It has a price only while there is something to count.
  for (const { MetricNamespace, DefaultValue } of counted) {
    expect([MetricNamespace, DefaultValue]).toEqual([metricNamespace, undefined])
  }
  expect(filters.map(({ FilterPattern }) => FilterPattern)).toEqual([
    '{ $.level = "error" }',
    '{ ($.type = "platform.report") && ($.record.status != "success") }',
  ])
})

test('Lambda logs failed invocations as JSON, and no line for those that succeed', () => {
  const shape = z.object({ FunctionName: z.string(), LoggingConfig: z.looseObject({}) })
  const functions = read(app, 'AWS::Lambda::Function', shape)
  expect(functions.length).toBeGreaterThan(workerTable.length)
  for (const { LoggingConfig } of functions) {
    expect(LoggingConfig).toMatchObject({ LogFormat: 'JSON', SystemLogLevel: 'WARN' })
    expect(LoggingConfig).not.toHaveProperty('ApplicationLogLevel')
  }
})

test('only alarms of this account may publish to the topic', () => {
  const [policy] = read(ops, 'AWS::SNS::TopicPolicy', z.object({ PolicyDocument: z.unknown() }))
  expect(policy?.PolicyDocument).toMatchObject({
    Statement: expect.arrayContaining([
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': '111122223333' } },
      }),
    ]),
  })
})

test('the dashboard shows every queue and worker, and few enough metrics to be free', () => {
  const [dashboard] = read(ops, 'AWS::CloudWatch::Dashboard', z.object({ DashboardBody: z.unknown() }))
  const body = JSON.stringify(dashboard?.DashboardBody).replaceAll('\\', '')
  for (const name of queueNames)
    expect(body).toContain(`"ApproximateAgeOfOldestMessage","QueueName","${physical(name)}"`)
  for (const { name } of workerTable) expect(body).toContain(`"Errors","FunctionName","${physical(name)}"`)
  expect(body.match(/\["AWS\//g)?.length).toBeLessThanOrEqual(50)
})

test('API Gateway measures the API as a whole', () => {
  const shape = z.object({ MethodSettings: z.array(z.object({ MetricsEnabled: z.boolean() })) })
  expect(read(app, 'AWS::ApiGateway::Stage', shape).flatMap(({ MethodSettings }) => MethodSettings)).toMatchObject([
    { MetricsEnabled: false },
  ])
})
