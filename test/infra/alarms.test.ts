import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { workerTable } from '../../functions/routes.ts'
import { idleLines } from '../../infra/deploy/cost/idle.ts'
import { sumOf } from '../../infra/deploy/cost/prices.ts'
import { objectives } from '../../infra/deploy/stacks/alarms.ts'
import { namesOf, queueNames } from '../../infra/deploy/stacks/names.ts'
import { metricNames } from '../../shared/context.ts'
import { platformIds } from '../../shared/resources.ts'
import { alarmsOf } from '../support/cloudwatch.ts'
import { physical, type Resources, read, settings, synthesize, testApp } from './synth.ts'

const runbook = join(import.meta.dirname, '../../infra/RUNBOOK.md')

const { app, ops } = synthesize()
const { metricNamespace } = namesOf('test')

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

const { simple, composite, telling, names } = alarmsOf(ops)

test('each alarm says where its section of the runbook is, and each section has an alarm', () => {
  const headings = [...readFileSync(runbook, 'utf8').matchAll(/^## ([\w-]+)$/gm)].map(([, heading]) => heading)
  expect(headings.toSorted()).toEqual(names)
  for (const { AlarmName, AlarmDescription } of telling) {
    const anchor = AlarmName.slice(physical('').length)
    expect(AlarmDescription).toMatch(new RegExp(`\\. Runbook: https://docs\\.example\\.com/RUNBOOK\\.md#${anchor}$`))
  }
  const [alarm] = alarmsOf(synthesize({ ...settings, runbookUrl: '' }).ops).telling
  expect(alarm?.AlarmDescription).toContain(' Runbook: infra/RUNBOOK.md#')
})

test('a section explains what an alarm means, where to look, how to fix it, and how to verify the fix', () => {
  const [, ...sections] = readFileSync(runbook, 'utf8').split(/^## /m)
  for (const section of sections) {
    const parts = [...section.matchAll(/^\*\*([\w ]+)\.\*\*/gm)].map(([, part]) => part)
    expect(parts, section.slice(0, 40)).toEqual(['Meaning', 'First look', 'Fix', 'Over'])
  }
})

test('an alarm notifies when it starts and when it ends, by severity', () => {
  const topics = (actions: readonly unknown[]) => JSON.stringify(actions)
  const severities = Map.groupBy(telling, ({ AlarmActions }) => topics(AlarmActions))
  for (const { AlarmActions, OKActions } of telling) expect(OKActions).toEqual(AlarmActions)
  const bySeverity = [...severities.values()].map((all) =>
    all.map(({ AlarmName }) => AlarmName.slice(physical('').length)),
  )
  expect(bySeverity.map((all) => all.toSorted())).toEqual([
    [
      ...[
        'api-5xx-rate',
        'lambda-throttled',
        'objectives-fast',
        'operator-action-needed',
        'overdue-work',
        'posts-waiting',
        'publish-lateness',
        'schedules-dropped',
        'sweep-silent',
      ],
      ...['table-throttled', 'uncounted-calls'],
    ],
    [
      ...['dead-letters-messages', 'email-reputation', 'failed-invocations', 'objectives-slow'],
      ...['platform-api-ends', 'unsent-emails', 'worker-logged-errors'],
    ],
  ])
})

test('mail, an endpoint, and a topic of the operator get alarms', () => {
  const arn = 'arn:aws:sns:eu-central-1:111122223333:tickets'
  const given = {
    ...settings,
    alarmMail: 'ops@example.com',
    alarmTargets: { page: 'https://events.example.com/', ticket: arn },
  }
  const { ops: stage } = synthesize(given)
  const shape = z.object({ Protocol: z.string(), Endpoint: z.string() })
  const receivers = read(stage, 'AWS::SNS::Subscription', shape).map(
    ({ Protocol, Endpoint }) => `${Protocol} ${Endpoint}`,
  )
  expect(receivers.toSorted()).toEqual([
    'email ops@example.com',
    'email ops@example.com',
    'https https://events.example.com/',
  ])
  const notifying = alarmsOf(stage).telling.filter(({ AlarmActions }) => AlarmActions.includes(arn))
  expect(notifying.map(({ AlarmName }) => AlarmName)).toContain(physical('unsent-emails'))
  expect(notifying.map(({ AlarmName }) => AlarmName)).not.toContain(physical('publish-lateness'))
  for (const target of ['http://events.example.com/', 'arn:aws:sqs:eu-central-1:111122223333:a']) {
    expect(() => testApp({ ...settings, alarmTargets: { page: target } })).toThrow(/alarmTargets/)
  }
})

test('alarms about objectives are made only where the deployment wants them, and cost less than three USD', () => {
  const without = alarmsOf(synthesize({ ...settings, objectiveAlarms: 'off' }).ops)
  expect(names.filter((name) => !without.names.includes(name))).toEqual(['objectives-fast', 'objectives-slow'])
  const all = Object.values(ops)
  const alarmsOnly = ({ Type }: { Type: string }) => Type.endsWith('Alarm')
  const priceOf = (resources: Resources) => sumOf(idleLines(Object.values(resources).filter(alarmsOnly), 0))
  expect(all.filter(alarmsOnly)).toHaveLength(simple.size + composite.size)
  expect(priceOf(ops) - priceOf(synthesize({ ...settings, objectiveAlarms: 'off' }).ops)).toBeCloseTo(2.8)
})

test('an alarm rings in silence only if silence is what it is about', () => {
  for (const { AlarmName, TreatMissingData } of simple.values()) {
    expect(TreatMissingData).toBe(AlarmName === physical('sweep-silent') ? 'breaching' : 'notBreaching')
  }
})

test('each metric of our own that an alarm reads is measured by a line, or counted by a filter', () => {
  const counted = filters.flatMap(({ MetricTransformations }) => MetricTransformations)
  const names = [...metricNames, ...counted.map(({ MetricName }) => MetricName)]
  const own = [...simple.values()].filter(({ Namespace }) => Namespace === metricNamespace)
  expect(own).toHaveLength(8)
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
  const [dashboard, platforms] = read(ops, 'AWS::CloudWatch::Dashboard', z.object({ DashboardBody: z.unknown() }))
  const body = JSON.stringify(dashboard?.DashboardBody).replaceAll('\\', '')
  for (const name of queueNames)
    expect(body).toContain(`"ApproximateAgeOfOldestMessage","QueueName","${physical(name)}"`)
  for (const { name } of workerTable) expect(body).toContain(`"Errors","FunctionName","${physical(name)}"`)
  expect(body.match(/\["(AWS|Social)\//g)?.length).toBeLessThanOrEqual(50)
  for (const { promise } of objectives) expect(body).toContain(promise)
  expect(JSON.stringify(platforms?.DashboardBody).split('PublishLatenessMs')).toHaveLength(2 * platformIds.length + 1)
})

test('API Gateway measures the API as a whole', () => {
  const shape = z.object({ MethodSettings: z.array(z.object({ MetricsEnabled: z.boolean() })) })
  expect(read(app, 'AWS::ApiGateway::Stage', shape).flatMap(({ MethodSettings }) => MethodSettings)).toMatchObject([
    { MetricsEnabled: false },
  ])
})
