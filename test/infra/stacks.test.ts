import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { everyRoute } from '../../functions/routes.ts'
import {
  physical,
  type Resources,
  read,
  type SynthesizedStack,
  settings,
  synthesizeAsCli,
  synthesizeStacks,
} from './synth.ts'

/** CloudFormation, IAM, and Lambda quotas (read 2026-11-22), and the part of them that today's service may use. */
const limits = {
  bytes: 1_000_000,
  resources: 500,
  parameters: 200,
  outputs: 200,
  policyBytes: 10_240,
  environmentBytes: 4_096,
}
const budget = { ...limits, bytes: 125_000, resources: 350 }

const Policies = z.object({ Policies: z.optional(z.array(z.object({ PolicyDocument: z.unknown() }))) })
const Variables = z.object({ Environment: z.optional(z.object({ Variables: z.record(z.string(), z.unknown()) })) })

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

const largest = (values: readonly number[]) => Math.max(0, ...values)

const sizesOf = ({ bytes, Resources, Parameters, Outputs }: SynthesizedStack) => ({
  bytes,
  resources: Object.keys(Resources).length,
  parameters: Object.keys(Parameters).length,
  outputs: Object.keys(Outputs).length,
  // All inline policies of a role count together.
  policyBytes: largest(read(Resources, 'AWS::IAM::Role', Policies).map(({ Policies: own }) => bytesOf(own ?? []))),
  environmentBytes: largest(
    read(Resources, 'AWS::Lambda::Function', Variables).map(({ Environment }) => bytesOf(Environment?.Variables ?? {})),
  ),
})

/** The exceeded limits of a stack. */
const excess = (stacks: readonly SynthesizedStack[], max: typeof limits): string[] =>
  stacks.flatMap((stack) =>
    Object.entries(sizesOf(stack))
      .filter(([name, size]) => size > max[name as keyof typeof limits])
      .map(([name, size]) => `${stack.name}: ${name} ${size}`),
  )

/** Eighty more routes with their own names and paths. */
const moreRoutes = Array.from({ length: 80 }, (_, n) => {
  const route = everyRoute[n % everyRoute.length]
  if (route === undefined) throw new Error('there are no routes')
  const { endpoint } = route
  const contract = { ...endpoint.contract, path: `${endpoint.contract.path}/more${n}` as const }
  const more: typeof endpoint = Object.assign(endpoint.bind(undefined), endpoint, { contract })
  return { ...route, name: `${route.name}-${n}`, operation: `${route.operation}${n}`, endpoint: more }
})

const stacks = synthesizeStacks()

test('every stack stays within its share of the limits of CloudFormation, IAM, and Lambda', () => {
  const deployed = synthesizeAsCli()
  expect(deployed.length).toBeGreaterThan(10)
  expect(excess(deployed, budget)).toEqual([])
  expect(excess(deployed, { ...budget, bytes: 2_000 }).length).toBeGreaterThan(10)
})

test('with eighty routes more, every stack is still within the limits', () => {
  const grown = synthesizeStacks({ routes: [...everyRoute, ...moreRoutes] })
  const count = (all: readonly SynthesizedStack[]) =>
    all.reduce((sum, { Resources }) => sum + read(Resources, 'AWS::Lambda::Function', z.object({})).length, 0)
  expect(count(grown)).toBe(count(stacks) + 80)
  expect(excess(grown, limits)).toEqual([])
})

const deploymentOf = (all: readonly SynthesizedStack[]) => {
  const [stage] = all.flatMap(({ Resources }) => read(Resources, 'AWS::ApiGateway::Stage', Staged))
  return stage?.DeploymentId.Ref
}
const Staged = z.object({ DeploymentId: z.object({ Ref: z.string() }) })

test('the API is deployed again where a route is removed or its function is renamed, and otherwise stays', () => {
  const renamed = everyRoute.map((route) => (route.name === 'posts-get' ? { ...route, name: 'posts-see' } : route))
  const variants = [everyRoute, everyRoute.filter(({ name }) => name !== 'posts-get'), renamed]
  const ids = variants.map((routes) => deploymentOf(synthesizeStacks({ routes })))
  expect(ids[0]).toBe(deploymentOf(stacks))
  expect(new Set(ids).size).toBe(3)
})

test('with a custom domain the API has no other host, and no output names one', () => {
  const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/1'
  const gatewayOf = (all: readonly SynthesizedStack[]) => all.find(({ name }) => name === physical('gateway'))
  const Api = z.object({ DisableExecuteApiEndpoint: z.optional(z.boolean()) })
  const withDomain = synthesizeStacks({ context: { ...settings, certificateArn } })
  const [one, other] = [gatewayOf(stacks), gatewayOf(withDomain)]
  expect(read(one?.Resources ?? {}, 'AWS::ApiGateway::RestApi', Api)).toEqual([{ DisableExecuteApiEndpoint: false }])
  expect(read(other?.Resources ?? {}, 'AWS::ApiGateway::RestApi', Api)).toEqual([{ DisableExecuteApiEndpoint: true }])
  expect(JSON.stringify(one?.Outputs)).toContain('.execute-api.')
  expect(JSON.stringify(other?.Outputs)).not.toContain('.execute-api.')
  expect(other?.Outputs).toMatchObject({ apiurl: { Value: settings.baseUrl } })
  // The change holds from a deployment on.
  expect(deploymentOf(withDomain)).not.toBe(deploymentOf(stacks))
})

test('the log group of the API is made with an end before the stage that writes to it', () => {
  const gateway = stacks.find(({ name }) => name === physical('gateway'))
  const entries = Object.entries(gateway?.Resources ?? {})
  const [[id, group] = ['', undefined]] = entries.filter(([, { Properties }]) =>
    JSON.stringify(Properties['LogGroupName'])?.includes('API-Gateway-Execution-Logs_'),
  )
  expect(group?.Properties).toMatchObject({
    LogGroupName: { 'Fn::Join': ['', ['API-Gateway-Execution-Logs_', { Ref: expect.any(String) }, '/live']] },
    RetentionInDays: 30,
  })
  const [stage] = entries.filter(([, { Type }]) => Type === 'AWS::ApiGateway::Stage')
  expect(stage?.[1].DependsOn).toContain(id)
})

test('no stack exports a value or imports one, so a reference can always change', () => {
  for (const { name, Outputs, Resources } of stacks) {
    expect(JSON.stringify(Outputs), name).not.toContain('"Export"')
    expect(JSON.stringify(Resources), name).not.toContain('Fn::ImportValue')
  }
})

test('a parameter that one stack reads is stored by a stack before it', () => {
  const Stored = z.object({ Name: z.string() })
  const Read = z.object({ Type: z.string(), Default: z.optional(z.string()) })
  const stored = new Set<string>()
  for (const { name, Parameters, Resources } of stacks) {
    const parameters = Object.values(Parameters)
      .map((parameter) => z.parse(Read, parameter))
      .filter(({ Type, Default }) => Type.startsWith('AWS::SSM::') && !Default?.startsWith('/cdk-bootstrap/'))
    for (const { Default = '' } of parameters) expect([...stored], name).toContain(Default)
    for (const { Name } of read(Resources, 'AWS::SSM::Parameter', Stored)) stored.add(Name)
  }
  expect(stored.size).toBe(7)
})

const nameProperties = /(?:^|[a-z])Names?$|^Name$/

/** The names that a template gives to resources: two stages in one account may share none. */
const namesIn = (all: readonly SynthesizedStack[]) =>
  new Set(
    all.flatMap(({ name, Resources }) => [
      name,
      ...Object.values(Resources).flatMap(({ Type, Properties }) =>
        Object.entries(Properties)
          .filter(([property, value]) => nameProperties.test(property) && typeof value === 'string')
          // These are names within something that has a name of the stage: an API, a namespace.
          .filter(([property]) => !['StageName', 'MetricName', 'DomainName'].includes(property))
          .map(([property, value]) => `${Type} ${property} ${String(value)}`),
      ),
    ]),
  )

test('two stages have no name in common', () => {
  const [one, other] = [namesIn(stacks), namesIn(synthesizeStacks({ context: { ...settings, stage: 'second' } }))]
  expect(one.size).toBeGreaterThan(200)
  expect(other.size).toBe(one.size)
  expect([...one].filter((name) => other.has(name))).toEqual([])
})

test('with the longest stage, every name still has the 63 characters that all services take', () => {
  const stage = 's123456789'
  const names = [...namesIn(synthesizeStacks({ context: { ...settings, stage } }))]
  const long = names.flatMap((name) => name.match(/social-s123456789-\S+$/)?.[0] ?? [])
  expect(long.length).toBeGreaterThan(200)
  expect(long.filter((name) => name.length > 63)).toEqual([])
  expect(() => synthesizeStacks({ context: { ...settings, stage: `${stage}0` } })).toThrow('at most 10 lowercase')
})

const retainedOf = (resources: Resources) =>
  Object.entries(resources).filter(([, { DeletionPolicy }]) => DeletionPolicy?.startsWith('Retain'))

test('retained resources outlive updates and deletions, and are removed with a first deployment that fails', () => {
  const retained = stacks.flatMap(({ Resources }) => retainedOf(Resources))
  expect(new Set(retained.map(([, { Type }]) => Type))).toEqual(
    new Set([
      'AWS::DynamoDB::GlobalTable',
      'AWS::S3::Bucket',
      'AWS::KMS::Key',
      'AWS::SecretsManager::Secret',
      'AWS::Events::EventBus',
      'AWS::Backup::BackupVault',
      // The account's role for the logs of API Gateway, which other APIs may use.
      'AWS::ApiGateway::Account',
      'AWS::IAM::Role',
    ]),
  )
  for (const [id, { DeletionPolicy, Type }] of retained) {
    if (Type.startsWith('AWS::ApiGateway') || Type === 'AWS::IAM::Role') continue
    expect(DeletionPolicy, id).toBe('RetainExceptOnCreate')
  }
})

test('the table is alone in its stack: nothing else in the stack can fail and roll back what its protection retains', () => {
  const [table] = stacks.filter(({ Resources }) =>
    Object.values(Resources).some(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable'),
  )
  const types = Object.values(table?.Resources ?? {}).map(({ Type }) => Type)
  expect(types.sort()).toEqual(['AWS::DynamoDB::GlobalTable', 'AWS::SSM::Parameter'])
})

test('models may be called only where they are configured, because they cost money', () => {
  const { aiText: _, aiSpeech: __, ...without } = settings
  const called = /bedrock:|transcribe:/
  expect(JSON.stringify(synthesizeStacks({ context: without }))).not.toMatch(called)
  expect(JSON.stringify(stacks)).toMatch(called)
})
