import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { everyRoute, workerTable } from '../../functions/routes.ts'
import { namesOf, queueNames } from '../../infra/stacks/names.ts'
import { emailNotSentLine } from '../../shared/aws/email.ts'
import { overdueLine } from '../../shared/sweeper/sweep.ts'
import { physical, read, synthesize } from './synth.ts'

const { app, ops } = synthesize()
const { metricNamespace } = namesOf('test').workerErrors

const AlarmShape = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string(),
  Namespace: z.string(),
  MetricName: z.string(),
  Threshold: z.number(),
  Period: z.number(),
  EvaluationPeriods: z.number(),
  ComparisonOperator: z.string(),
  TreatMissingData: z.string(),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
  AlarmActions: z.array(z.unknown()),
})
const alarms = new Map(read(ops, 'AWS::CloudWatch::Alarm', AlarmShape).map((alarm) => [alarm.AlarmName, alarm]))

const FilterShape = z.object({
  FilterPattern: z.string(),
  LogGroupName: z.unknown(),
  MetricTransformations: z.array(
    z.object({ MetricName: z.string(), MetricNamespace: z.string(), DefaultValue: z.optional(z.number()) }),
  ),
})
const filters = read(app, 'AWS::Logs::MetricFilter', FilterShape)

test('the alarms, each with one metric and an action', () => {
  expect([...alarms.keys()].sort()).toEqual(
    [
      'api-5xx-rate',
      'dead-letters-messages',
      'failed-invocations',
      'lambda-throttled',
      'overdue-work',
      'sweep-silent',
      'table-throttled',
      'uncounted-calls',
      'unsent-emails',
      'worker-logged-errors',
    ].map(physical),
  )
  for (const { AlarmActions, AlarmDescription } of alarms.values()) {
    expect(AlarmActions).toHaveLength(1)
    expect(AlarmDescription).toMatch(/\.$/)
  }
})

test('a message that any worker gave up raises an alarm that says where the name of its queue is', () => {
  expect(alarms.get(physical('dead-letters-messages'))).toMatchObject({
    MetricName: 'ApproximateNumberOfMessagesVisible',
    Dimensions: [{ Name: 'QueueName', Value: physical('dead-letters') }],
    Threshold: 1,
    AlarmDescription: expect.stringContaining('DeadLetterQueueSourceArn'),
  })
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

test('each metric that an alarm reads from logs is counted, and has a price only while there is something to count', () => {
  const own = [...alarms.values()].filter(({ Namespace }) => Namespace === metricNamespace)
  expect(own).toHaveLength(5)
  for (const { MetricName } of own) {
    const counting = filters.flatMap(({ MetricTransformations }) =>
      MetricTransformations.filter((one) => one.MetricName === MetricName),
    )
    expect(counting).not.toEqual([])
    for (const { MetricNamespace, DefaultValue } of counting) {
      expect([MetricNamespace, DefaultValue]).toEqual([metricNamespace, undefined])
    }
  }
  const patternOf = (name: string) =>
    filters.find(({ MetricTransformations: [one] }) => one?.MetricName === name)?.FilterPattern
  expect(patternOf('OverdueWork')).toBe(`{ $.message = "${overdueLine}" }`)
  expect(patternOf('UnsentEmails')).toBe(`{ $.message = "${emailNotSentLine}" }`)
  expect(patternOf('FailedInvocations')).toBe('{ ($.type = "platform.report") && ($.record.status != "success") }')
})

test('an email that SES rejects raises an alarm, whichever function sends it', () => {
  const needsMail = everyRoute.filter(({ endpoint }) => endpoint.contract.needs.includes('mail'))
  const counting = filters.filter(({ MetricTransformations: [one] }) => one?.MetricName === 'UnsentEmails')
  expect(counting).toHaveLength(new Set(needsMail.map(({ group }) => group)).size + 1)
  expect(alarms.get(physical('unsent-emails'))).toMatchObject({ MetricName: 'UnsentEmails', Threshold: 1 })
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
