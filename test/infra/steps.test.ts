import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { everyRoute, workerTable } from '../../functions/routes.ts'
import { inSteps } from '../../infra/deploy/stacks/steps.ts'
import { physical, type Resources, read, settings, synthesize } from './synth.ts'

const canary = { ...settings, canary: 'on' }
const { app } = synthesize(canary)
const metricNamespace = `Social/${settings['stage']}`

const Reference = z.object({ Ref: z.string() })
const Alias = z.object({ logicalId: z.string(), Name: z.literal('live'), FunctionName: Reference })
const Alarm = z.object({
  logicalId: z.string(),
  Namespace: z._default(z.string(), 'calculated'),
  Threshold: z.number(),
  EvaluationPeriods: z.number(),
  Period: z._default(z.number(), 60),
  Dimensions: z._default(z.array(z.object({ Name: z.string(), Value: z.unknown() })), []),
})
const Group = z.object({
  logicalId: z.string(),
  DeploymentConfigName: z.literal('CodeDeployDefault.LambdaCanary10Percent5Minutes'),
  AlarmConfiguration: z.object({ Enabled: z.literal(true), Alarms: z.array(z.object({ Name: Reference })) }),
  AutoRollbackConfiguration: z.object({ Enabled: z.literal(true), Events: z.array(z.string()) }),
})
const Named = z.object({ logicalId: z.string(), FunctionName: z.string() })

const names = new Map(
  read(app, 'AWS::Lambda::Function', Named).map(({ logicalId, FunctionName }) => [logicalId, FunctionName]),
)
const aliases = new Map(
  read(app, 'AWS::Lambda::Alias', Alias).map(({ logicalId, FunctionName }) => [
    logicalId,
    names.get(FunctionName.Ref) ?? '',
  ]),
)

test('the functions that send posts, and every route that queues posts for them, are deployed in steps', () => {
  const handing = everyRoute.filter(({ endpoint }) =>
    endpoint.contract.needs.some((need) => ['queue:prepare', 'queue:publish', 'schedule'].includes(need)),
  )
  for (const { name } of [...workerTable, ...handing]) expect([...inSteps]).toContain(name)
  expect([...aliases.values()].sort()).toEqual([...inSteps].map(physical).sort())
})

test('a release takes a tenth of the calls for five minutes, and goes back by its alarms within them', () => {
  const alarms = new Map(read(app, 'AWS::CloudWatch::Alarm', Alarm).map((alarm) => [alarm.logicalId, alarm]))
  const groups = read(app, 'AWS::CodeDeploy::DeploymentGroup', Group)
  expect(groups).toHaveLength(inSteps.size)
  for (const { logicalId, AlarmConfiguration, AutoRollbackConfiguration } of groups) {
    expect(AutoRollbackConfiguration.Events).toContain('DEPLOYMENT_STOP_ON_ALARM')
    const own = AlarmConfiguration.Alarms.map(({ Name }) => alarms.get(Name.Ref))
    const isRoute = /^(?:posts|oauth)/.test(logicalId)
    const ofWorker = [
      ...(logicalId.startsWith('sweep') ? [] : [metricNamespace]),
      ...(logicalId.startsWith('publishpost') ? ['calculated'] : []),
    ]
    expect(own.map((alarm) => alarm?.Namespace).sort(), logicalId).toEqual(
      ['AWS/Lambda', ...(isRoute ? ['AWS/ApiGateway'] : ofWorker)].sort(),
    )
    // A worker hands failed messages back, which Lambda counts as success: its lines name the version that ran.
    const [counted] = own.filter((alarm) => alarm?.Namespace === metricNamespace)
    const version = expect.objectContaining({ 'Fn::GetAtt': [expect.any(String), 'Version'] })
    if (counted) {
      const value = { 'Fn::Join': ['', [expect.stringMatching(/^social-\w+-[\w-]+:$/), version]] }
      expect(counted.Dimensions, logicalId).toEqual([{ Name: 'executed', Value: value }])
    }
    for (const alarm of own) expect(alarm).toMatchObject({ Period: 60, EvaluationPeriods: 1 })
  }
  const policies = Object.values(app).filter(({ Type }) => Type === 'AWS::Lambda::Alias')
  for (const { UpdatePolicy } of policies) {
    expect(UpdatePolicy).toMatchObject({
      CodeDeployLambdaAliasUpdate: { DeploymentGroupName: { Ref: expect.any(String) } },
    })
  }
})

test('queues and the clock call the alias, which stays while the API calls it', () => {
  const mappings = read(app, 'AWS::Lambda::EventSourceMapping', z.object({ FunctionName: Reference }))
  expect(mappings.length).toBeGreaterThan(20)
  for (const { FunctionName } of mappings) expect(aliases.has(FunctionName.Ref)).toBe(true)
  const [rule] = read(app, 'AWS::Events::Rule', z.object({ Targets: z.array(z.object({ Arn: Reference })) }))
  const [permission] = read(app, 'AWS::Lambda::Permission', z.object({ FunctionName: Reference }))
  expect(aliases.get(rule?.Targets[0]?.Arn.Ref ?? '')).toBe(physical('sweep'))
  expect(aliases.get(permission?.FunctionName.Ref ?? '')).toBe(physical('sweep'))
  for (const { Type, DeletionPolicy } of Object.values(app)) {
    if (/^AWS::Lambda::(?:Alias|Version)$/.test(Type)) expect(DeletionPolicy).toBe('RetainExceptOnCreate')
  }
})

const idsOf = (resources: Resources, type: string) =>
  Object.entries(resources).flatMap(([id, { Type }]) => (Type === type ? [id] : []))

test('a name of a release makes a new version of each function in steps, and changes no other', () => {
  const other = synthesize({ ...canary, release: 'restored-1' }).app
  const versions = idsOf(app, 'AWS::Lambda::Version')
  expect(versions).toHaveLength(inSteps.size)
  expect(idsOf(other, 'AWS::Lambda::Version').filter((id) => versions.includes(id))).toEqual([])
  const changed = [...names].filter(([id]) => JSON.stringify(app[id]) !== JSON.stringify(other[id]))
  expect(changed.map(([, name]) => name).sort()).toEqual([...inSteps].map(physical).sort())
})

test('without the setting there is no version, alias, or alarm more', () => {
  const types = new Set(Object.values(synthesize().app).map(({ Type }) => Type))
  for (const type of ['Lambda::Version', 'Lambda::Alias', 'CodeDeploy::DeploymentGroup', 'CloudWatch::Alarm']) {
    expect(types).not.toContain(`AWS::${type}`)
  }
})
