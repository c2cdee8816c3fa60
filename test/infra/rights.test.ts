import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '../../functions/routes.ts'
import { needsOf, rightsOf } from '../../infra/deploy/stacks/rights.ts'
import { read, settings, synthesize } from './synth.ts'

const Statement = z.object({
  Effect: z.string(),
  Action: z.union([z.string(), z.array(z.string())]),
  Resource: z.unknown(),
  Condition: z.optional(z.unknown()),
})
const Role = z.object({
  logicalId: z.string(),
  AssumeRolePolicyDocument: z.object({ Statement: z.array(z.unknown()) }),
  Policies: z.optional(
    z.array(z.object({ PolicyName: z.string(), PolicyDocument: z.object({ Statement: z.array(Statement) }) })),
  ),
})

// With every optional provider, so that the rights to call it are granted.
const everything = { ...settings, stripePrices: { team: 'price_1' } }
const roles = read(synthesize(everything).app, 'AWS::IAM::Role', Role)
const statementsOf = (role: z.infer<typeof Role>) =>
  (role.Policies ?? []).flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
const actionsOf = (role: z.infer<typeof Role>) =>
  statementsOf(role).flatMap(({ Action }) => (typeof Action === 'string' ? [Action] : Action))

test('each endpoint can do what its needs grant, and write its logs', () => {
  for (const { name, endpoint } of routes) {
    const role = roles.find(({ logicalId }) => logicalId.startsWith(`${name.replaceAll('-', '')}role`))
    const granted = rightsOf(needsOf(endpoint.contract)).flatMap(({ actions }) => actions)
    const expected = new Set([...granted, 'logs:CreateLogStream', 'logs:PutLogEvents'])
    expect(role && new Set(actionsOf(role)), name).toEqual(expected)
  }
})

test('a reading endpoint cannot write, and one without a token reads nothing', () => {
  const route = { method: 'GET', path: '/api/things' } as const
  const reading = rightsOf(needsOf({ ...route, access: { kind: 'person', scope: null }, needs: ['table:read'] }))
  const actions = reading.filter(({ resource }) => resource !== 'counters').flatMap((right) => right.actions)
  expect(actions).toEqual(expect.arrayContaining(['dynamodb:BatchGetItem', 'secretsmanager:GetSecretValue']))
  expect(actions.filter((action) => /Put|Update|Delete|Send/.test(action))).toEqual([])
  const open = { ...route, access: { kind: 'anyone' }, needs: [] } as const
  expect(rightsOf(needsOf({ ...open, limit: 'none' }))).toEqual([])
  expect(rightsOf(needsOf(open))).toEqual([{ actions: ['dynamodb:UpdateItem'], resource: 'counters' }])
})

test('the permission to count requests covers only the counter rows', () => {
  const role = roles.find(({ logicalId }) => logicalId.startsWith('postsgetrole'))
  const counting = (role ? statementsOf(role) : []).filter(({ Action }) => Action === 'dynamodb:UpdateItem')
  expect(counting).toMatchObject([
    { Effect: 'Allow', Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RL#*'] } } },
  ])
})

test('only the relay can put events, and only on our bus', () => {
  const putting = roles.filter((role) => actionsOf(role).includes('events:PutEvents'))
  expect(putting.map(({ logicalId }) => logicalId)).toEqual([expect.stringMatching(/^relayeventsrole/)])
  const [statement] = putting.flatMap(statementsOf).filter(({ Action }) => Action === 'events:PutEvents')
  expect(JSON.stringify(statement?.Resource)).toBe(
    '"arn:aws:events:eu-central-1:111122223333:event-bus/social-test-events"',
  )
})

test('schedules can only send to the prepare queue', () => {
  const role = roles.find(({ logicalId }) => logicalId.startsWith('schedulerole'))
  const [statement, ...others] = role ? statementsOf(role) : []
  expect(others).toEqual([])
  expect(statement?.Action).toBe('sqs:SendMessage')
  expect(statement?.Resource).toBe('arn:aws:sqs:eu-central-1:111122223333:social-test-prepare')
})

const statementWith = (functionName: string, action: string) => {
  const role = roles.find(({ logicalId }) => logicalId.startsWith(`${functionName.replaceAll('-', '')}role`))
  return (role ? statementsOf(role) : []).find(({ Action }) => [Action].flat().includes(action))
}

test('secrets of platforms are readable by their prefix, so that a missing one is missing and not denied', () => {
  const { Resource } = statementWith('social-accounts-connect', 'secretsmanager:GetSecretValue') ?? {}
  expect([Resource].flat()).toContain('arn:aws:secretsmanager:eu-central-1:111122223333:secret:social/test/platforms/*')
})

test('a function for one platform reads the secret of no other', () => {
  for (const name of ['pinterest-boards', 'discord-channels', 'reddit-flair-options', 'slack-channels']) {
    const [platform] = name.split('-')
    const { Resource } = statementWith(`social-accounts-${name}`, 'secretsmanager:GetSecretValue') ?? {}
    const own = [Resource].flat().filter((arn) => String(arn).includes('/platforms/'))
    expect(own).toEqual([`arn:aws:secretsmanager:eu-central-1:111122223333:secret:social/test/platforms/${platform}*`])
  }
})

test('a role that decrypts the data keys of workspaces decrypts none of people, and vice versa', () => {
  const opening = (name: string) => statementWith(name, 'kms:Decrypt')?.Condition
  for (const name of ['deliver-webhook', 'publish-post', 'webhooks-create']) {
    expect(opening(name), name).toEqual({ StringLike: { 'kms:EncryptionContext:workspaceId': '*' } })
  }
  for (const name of ['auth-sign-in', 'auth-delete-account', 'pages-sign-in']) {
    expect(opening(name), name).toEqual({ StringLike: { 'kms:EncryptionContext:userId': '*' } })
  }
})

test('only schedules of their group may take their role, and functions may pass it to the Scheduler only', () => {
  const schedule = roles.find(({ logicalId }) => logicalId.startsWith('schedulerole'))
  expect(schedule?.AssumeRolePolicyDocument.Statement).toEqual([
    {
      Action: 'sts:AssumeRole',
      Effect: 'Allow',
      Principal: { Service: 'scheduler.amazonaws.com' },
      Condition: {
        StringEquals: {
          'aws:SourceAccount': '111122223333',
          'aws:SourceArn': 'arn:aws:scheduler:eu-central-1:111122223333:schedule-group/social-test',
        },
      },
    },
  ])
  expect(statementWith('posts-schedule', 'iam:PassRole')?.Condition).toEqual({
    StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
  })
})

test('a purge lists files only below the prefixes of files', () => {
  const listing = roles
    .filter(({ logicalId }) => logicalId.startsWith('purgerole'))
    .flatMap(statementsOf)
    .filter(({ Action, Condition }) => [Action].flat().includes('s3:ListBucket') && Condition !== undefined)
  expect(listing).toMatchObject([
    { Condition: { StringLike: { 's3:prefix': ['media/*', 'incoming/*', 'exports/*'] } } },
  ])
})

test('a transcription does not have its own resource, so its condition names the bucket of its transcript', () => {
  const starting = roles
    .flatMap(statementsOf)
    .filter(({ Action }) => [Action].flat().includes('transcribe:StartTranscriptionJob'))
  expect(starting).toMatchObject([
    { Condition: { StringEquals: { 'transcribe:OutputBucketName': expect.anything() } } },
  ])
})

test('only functions that query an index may, and Lambda may poll and do nothing else with a queue', () => {
  const indexed = roles.filter((role) => JSON.stringify(statementsOf(role)).includes('/index/status'))
  expect(indexed.map(({ logicalId }) => logicalId)).toEqual([
    // It lists posts, too.
    expect.stringMatching(/^oauthmcprole/),
    expect.stringMatching(/^postscalendarrole/),
    expect.stringMatching(/^postslistrole/),
  ])
  const polling = roles.flatMap(statementsOf).filter(({ Action }) => [Action].flat().includes('sqs:ReceiveMessage'))
  expect(polling.length).toBeGreaterThan(5)
  const poll = ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage']
  // Where a worker sends to its own queue only, CDK joins both rights to it: the deletion of an account enqueues those of
  // its workspaces, and an index is updated in steps.
  const odd = polling.filter(({ Action }) => JSON.stringify(Action) !== JSON.stringify(poll))
  expect(odd).toMatchObject(
    ['index', 'purge'].map((queue) => ({
      Action: [...poll, 'sqs:SendMessage'],
      Resource: expect.stringMatching(new RegExp(`-${queue}$`)),
    })),
  )
})
