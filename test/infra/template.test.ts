import { Stack } from 'aws-cdk-lib'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { everyRoute, workerTable } from '../../functions/routes.ts'
import { arnLike } from '../../infra/local/iam/pattern.ts'
import { refuseAddress } from '../../shared/net/address.ts'
import { functionsOf, physical, type Resources, read, settings, synthesize, testApp } from './synth.ts'

const stacks = synthesize()
const functions = functionsOf(stacks.app)
const named = (name: string) => functions.get(physical(name))
const functionArns = 'arn:aws:lambda:eu-central-1:111122223333:function:'

test('each route and worker has one function and its own role', () => {
  const expected = [...everyRoute, ...workerTable].map(({ name }) => physical(name))
  expect([...functions.keys()].sort()).toEqual(expected.sort())
  expect(new Set([...functions.values()].map(({ Role }) => Role['Fn::GetAtt'][0])).size).toBe(expected.length)
  for (const { Runtime, Architectures } of functions.values()) {
    expect([Runtime, Architectures]).toEqual(['nodejs24.x', ['arm64']])
  }
})

test('API Gateway has one role, which may call the functions of the routes and nothing else', () => {
  const Statement = z.object({ Action: z.unknown(), Effect: z.string(), Resource: z.array(z.string()) })
  const Role = z.object({
    RoleName: z.optional(z.string()),
    ManagedPolicyArns: z.optional(z.unknown()),
    Policies: z.optional(z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) }))),
  })
  const named = Object.values(stacks.app).filter(
    ({ Type, Properties }) => Type === 'AWS::IAM::Role' && Properties['RoleName'] !== undefined,
  )
  const [caller, ...others] = named.map(({ Properties }) => z.parse(Role, Properties))
  expect(others).toEqual([])
  expect(caller).toMatchObject({ RoleName: physical('api-eu-central-1') })
  const [statement, ...more] = caller?.Policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? []
  expect([caller?.ManagedPolicyArns, more, statement?.Action]).toEqual([undefined, [], 'lambda:InvokeFunction'])
  const covering = (name: string) =>
    (statement?.Resource ?? []).map(arnLike).filter((covers) => covers(`${functionArns}${physical(name)}`))
  for (const { name } of everyRoute) expect(covering(name), name).toHaveLength(1)
  for (const { name } of workerTable) expect(covering(name), name).toEqual([])
  const permitted = read(stacks.app, 'AWS::Lambda::Permission', z.object({ Principal: z.string() }))
  expect(permitted).toEqual([{ Principal: 'events.amazonaws.com' }])
})

test('the API answers before its functions stop', () => {
  for (const { name } of everyRoute) expect(named(name)?.Timeout).toBeLessThan(29)
})

test('the firewall blocks no body, and answers floods in our envelope', () => {
  const Rule = z.object({
    Name: z.string(),
    OverrideAction: z.optional(z.unknown()),
    Action: z.optional(z.unknown()),
    Statement: z.object({
      ManagedRuleGroupStatement: z.optional(
        z.object({ RuleActionOverrides: z.array(z.object({ Name: z.string(), ActionToUse: z.unknown() })) }),
      ),
    }),
  })
  const shape = z.object({
    Rules: z.array(Rule),
    CustomResponseBodies: z.record(z.string(), z.object({ Content: z.string() })),
  })
  const [firewall] = read(stacks.app, 'AWS::WAFv2::WebACL', shape)
  const counted = firewall?.Rules.flatMap(
    ({ Statement }) => Statement.ManagedRuleGroupStatement?.RuleActionOverrides ?? [],
  )
  for (const { ActionToUse } of counted ?? []) expect(ActionToUse).toEqual({ Count: {} })
  // The body rules of both groups, from the list of AWS managed rules (read 2026-11-21).
  expect(counted?.map(({ Name }) => Name)).toEqual(
    expect.arrayContaining([
      'SizeRestrictions_BODY',
      'CrossSiteScripting_BODY',
      'GenericLFI_BODY',
      'GenericRFI_BODY',
      'EC2MetaDataSSRF_BODY',
      'JavaDeserializationRCE_BODY',
      'Log4JRCE_BODY',
      'ReactJSRCE_BODY',
    ]),
  )
  expect(firewall?.Rules.find(({ Name }) => Name === 'rate')?.Action).toMatchObject({
    Block: { CustomResponse: { ResponseCode: 429 } },
  })
  expect(JSON.parse(firewall?.CustomResponseBodies['rate-limited']?.Content ?? '')).toEqual({
    success: false,
    error: 'Rate limit exceeded',
    code: 'rate_limited',
    docUrl: 'https://api.example.com/api/docs/errors/rate_limited',
  })
})

test('a stage goes without the firewall where it says so, and is otherwise the same', () => {
  const without = synthesize({ ...settings, firewall: 'off' })
  const typesOf = (resources: Resources) => Object.entries(resources).map(([id, { Type }]) => `${Type} ${id}`)
  const gone = typesOf(stacks.app).filter((type) => !typesOf(without.app).includes(type))
  expect(gone.map((type) => type.split(' ')[0]).sort()).toEqual(['AWS::WAFv2::WebACL', 'AWS::WAFv2::WebACLAssociation'])
  expect(Object.keys(without.app)).toHaveLength(Object.keys(stacks.app).length - 2)
})

test('data that must not be lost is retained, encrypted, and private', () => {
  const [table] = Object.values(stacks.data).filter(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable')
  expect(table?.DeletionPolicy).toBe('RetainExceptOnCreate')
  expect(table?.Properties).toMatchObject({
    TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    Replicas: [
      { DeletionProtectionEnabled: true, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
    ],
  })
  for (const { Type, DeletionPolicy, Properties } of Object.values(stacks.data)) {
    if (!['AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'].includes(Type)) continue
    expect(DeletionPolicy, Type).toBe('RetainExceptOnCreate')
    if (Type !== 'AWS::S3::Bucket') continue
    expect(Properties['PublicAccessBlockConfiguration']).toMatchObject({
      BlockPublicAcls: true,
      RestrictPublicBuckets: true,
    })
    expect(JSON.stringify(Properties['BucketEncryption'])).toContain('AES256')
  }
})

test('deployed functions call no address on loopback: only the service of "npm start" allows it', () => {
  const lists = [...functions.values()].flatMap(({ Environment }) => {
    const list = Environment.Variables['ALLOWED_ORIGINS']
    return typeof list === 'string' ? [list.split(',').filter(Boolean)] : []
  })
  expect(lists.length).toBeGreaterThan(3)
  for (const address of ['http://127.0.0.1:4000/', 'http://localhost:4000/', 'https://localhost:4000/']) {
    for (const list of lists) expect(refuseAddress(address, list)).toBeDefined()
  }
})

test('a function gets the variables of its needs and no others', () => {
  // The reference page needs the hash of its script.
  expect(Object.keys(named('meta-docs')?.Environment.Variables ?? {}).sort()).toEqual([
    'BASE_URL',
    'BUCKET_URL',
    'FILES_FOLDER',
    'MEDIA_URL',
    'METRICS',
    'PLATFORM_API_ENDS',
  ])
  expect(Object.keys(named('workspaces-get')?.Environment.Variables ?? {}).sort()).toEqual([
    'BASE_URL',
    'EVENT_RETENTION_DAYS',
    'MEDIA_URL',
    'METRICS',
    'PLATFORM_API_ENDS',
    'QUOTAS',
    'RATE_LIMITS',
    'TABLE_NAME',
    'TOKEN_KEYS_SECRET',
  ])
})

test('uploads, downloads, and the policy of the console name the bucket of media, and no other host of AWS', () => {
  const bucket = named('media-create-upload-url')?.Environment.Variables['MEDIA_BUCKET']
  const host = [bucket, '.s3.eu-central-1.', { Ref: 'AWS::URLSuffix' }]
  const url = { 'Fn::Join': ['', ['https://', ...host]] }
  for (const name of ['media-create-upload-url', 'workspaces-download-export', 'pages-show-console'])
    expect(named(name)?.Environment.Variables['BUCKET_URL'], name).toEqual(url)
})

test('events are retained for 30 days, or for the 1 to 90 days that an operator sets', () => {
  const daysOf = (all: typeof functions) =>
    new Set(
      [...all.values()].flatMap(({ Environment }) => Environment.Variables['EVENT_RETENTION_DAYS'] ?? []).map(String),
    )
  expect(daysOf(functions)).toEqual(new Set(['30']))
  expect(daysOf(functionsOf(synthesize({ ...settings, webhookRetentionDays: 7 }).app))).toEqual(new Set(['7']))
  for (const webhookRetentionDays of [0, 91, 1.5]) {
    expect(() => testApp({ ...settings, webhookRetentionDays })).toThrow(/webhookRetentionDays/)
  }
})

test('events are sent to their own bus, which is retained and outputs its name', () => {
  const [bus, ...others] = Object.values(stacks.data).filter(({ Type }) => Type === 'AWS::Events::EventBus')
  expect(others).toEqual([])
  expect(bus).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', Properties: { Name: physical('events') } })
})

test('only the relay may put events on the bus, if the deployment enables it', () => {
  const rolesIn = (app: Resources) =>
    Object.entries(app)
      .filter(
        ([, { Type, Properties }]) => Type === 'AWS::IAM::Role' && JSON.stringify(Properties).includes('PutEvents'),
      )
      .map(([id]) => id)
  const busOf = (all: typeof functions) => all.get(physical('relay-events'))?.Environment.Variables['EVENT_BUS_NAME']
  expect(rolesIn(stacks.app)).toEqual([expect.stringMatching(/relayevents/i)])
  expect(busOf(functions)).toBe(physical('events'))
  const { app } = synthesize({ ...settings, eventBus: 'off' })
  expect([rolesIn(app), busOf(functionsOf(app))]).toEqual([[], ''])
})

test('rate limits are as specified, but for those that an operator sets', () => {
  const limitsOf = (all: typeof functions) =>
    JSON.parse(String(all.get(physical('posts-get'))?.Environment.Variables['RATE_LIMITS']))
  const specified = {
    general: { calls: 100, perSeconds: 60 },
    auth: { calls: 20, perSeconds: 900 },
    cli: { calls: 30, perSeconds: 900 },
    ai: { calls: 20, perSeconds: 60 },
    provider: { calls: 1_000, perSeconds: 60 },
    application: { calls: 6_000, perSeconds: 60 },
  }
  expect(limitsOf(functions)).toEqual(specified)
  const rateLimits = { general: { calls: 500, perSeconds: 60 }, ai: null }
  expect(limitsOf(functionsOf(synthesize({ ...settings, rateLimits }).app))).toEqual({ ...specified, ...rateLimits })
  const wrong = { general: { calls: 0, perSeconds: 60 } }
  expect(() => testApp({ ...settings, rateLimits: wrong })).toThrow(/rateLimits.general.calls/)
})

test('every function measures in the namespace of its stage, by platform only if the deployment enables it', () => {
  const metricsOf = (all: typeof functions) =>
    new Set([...all.values()].map(({ Environment }) => Environment.Variables['METRICS']))
  expect(metricsOf(functions)).toEqual(new Set(['{"namespace":"Social/test","byPlatform":true}']))
  const together = functionsOf(synthesize({ ...settings, platformMetrics: 'off' }).app)
  expect(metricsOf(together)).toEqual(new Set(['{"namespace":"Social/test","byPlatform":false}']))
})

test('a template that breaks a rule of cdk-nag is not synthesized', () => {
  const app = testApp()
  new Queue(new Stack(app, 'open'), 'queue')
  expect(() => app.synth()).toThrow(/AwsSolutions-SQS4/)
})

test('a certificate makes the custom domain, with the stage at its root', () => {
  const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/one'
  const { app } = synthesize({ ...settings, certificateArn })
  const shape = z.object({ DomainName: z.unknown(), SecurityPolicy: z.optional(z.string()) })
  expect(read(app, 'AWS::ApiGateway::DomainName', shape)).toMatchObject([
    { DomainName: 'api.example.com', SecurityPolicy: 'TLS_1_2' },
  ])
  const mapping = z.object({ BasePath: z.optional(z.string()), Stage: z.unknown() })
  expect(read(app, 'AWS::ApiGateway::BasePathMapping', mapping)).toEqual([{ Stage: { Ref: expect.any(String) } }])
  expect(read(stacks.app, 'AWS::ApiGateway::DomainName', shape)).toEqual([])
})
