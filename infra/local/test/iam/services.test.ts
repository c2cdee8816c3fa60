import { DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, test } from 'vitest'
import { client } from '../../../../functions/client.ts'
import { sendEmail } from '../../../../shared/aws/email.ts'
import { createSchedule } from '../../../../shared/aws/schedule.ts'
import type { Variable } from '../../../../shared/resources.ts'
import { changedAssembly, withoutAction, withStatements } from '../../../../test/support/changed-assembly.ts'
import { type Kit, start } from '../../../../test/support/start.ts'
import { localNames } from '../../../deploy/stacks/names.ts'

const minuteMs = 60_000
const account = 'us-east-1:000000000000'

const deleteSecret = async (SecretId: string) => {
  const secrets = new SecretsManagerClient({})
  await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
  secrets.destroy()
}

/** The templates in which the sign-up and the connection of accounts have the grants that a text is replaced in. */
const withGrant = (functionName: string, text: string, replacement: string) =>
  withStatements(functionName, (statements) => {
    const before = JSON.stringify(statements)
    expect(before).toContain(text)
    return JSON.parse(before.replaceAll(text, replacement))
  })

const connectX = (kit: Kit) => kit.sessionApi.socialAccounts.connect({ params: { platform: 'x' } })

test('a platform whose app is not stored answers 503, because the role may read every name below the prefix', async () => {
  const kit = await start()
  await deleteSecret(`${localNames.platformSecretsPrefix}x`)
  await expect(connectX(kit)).rejects.toMatchObject({ status: 503, body: { code: 'platform_not_configured' } })
})

test('a role that may read only ARNs of stored secrets is denied one that is missing', async () => {
  const prefix = localNames.platformSecretsPrefix
  const assembly = await withGrant('social-accounts-connect', `${prefix}*`, `${prefix}x-??????`)
  const kit = await start({ assembly, mayBeDenied: true })
  await connectX(kit)
  expect(kit.denied.size).toBe(0)
  kit.clock.pass(6 * minuteMs)
  await deleteSecret(`${prefix}x`)
  await expect(connectX(kit)).rejects.toMatchObject({ status: 500 })
  expect([...kit.denied]).toEqual([
    `social-local-social-accounts-connect was denied secretsmanager:GetSecretValue on arn:aws:secretsmanager:${account}:secret:${prefix}x`,
  ])
  expect(kit.logged.join()).toMatch(/AccessDeniedException.*no identity-based policy allows the secretsmanager:GetSec/)
})

const signUp = (kit: Kit) =>
  client({ baseUrl: kit.url }).auth.signUp({
    body: { email: 'new@example.org', password: 'correct horse battery', name: 'New' },
  })

const identities = `arn:aws:ses:${account}:identity`
const domainOnly = () =>
  withStatements('auth-sign-up', (statements) => {
    const before = JSON.stringify(statements)
    expect(before).toMatch(/:configuration-set\/\*.*:identity\/\*/)
    return JSON.parse(before.replace(':identity/*', ':identity/example.com').replace(':configuration-set/*', ':none'))
  })

const otherIdentities = [
  ['a verified address', [{ name: 'service@example.com' }], `${identities}/service@example.com`],
  [
    'a default configuration set',
    [{ name: 'example.com', configurationSet: 'tracked' }],
    `arn:aws:ses:${account}:configuration-set/tracked`,
  ],
] as const

test.each(otherIdentities)('a sign-up is emailed with %s in SES', async (_title, mailIdentities) => {
  const kit = await start({ mailIdentities: [...mailIdentities] })
  await signUp(kit)
  expect(kit.mail.outbox()).toHaveLength(1)
})

test('a function may send only as the sender of the deployment', async () => {
  const kit = await start({ mayBeDenied: true })
  const ctx = kit.service.contextOf('auth-sign-up')
  const other = { ...ctx, env: (name: Variable) => (name === 'MAIL_FROM' ? 'ceo@example.com' : ctx.env(name)) }
  const sent = sendEmail({ ...other, environment: ctx }, { to: 'a@example.org', subject: 'Hello', text: 'Hello' })
  await expect(sent).rejects.toThrow('AccessDeniedException')
  expect(kit.mail.outbox()).toEqual([])
})

test.each(
  otherIdentities,
)('a role that may send only as the domain of the sender is denied %s', async (_title, mailIdentities, resource) => {
  const kit = await start({ mailIdentities: [...mailIdentities], mayBeDenied: true, assembly: await domainOnly() })
  await signUp(kit)
  expect([...kit.denied]).toEqual([`social-local-auth-sign-up was denied ses:SendEmail on ${resource}`])
  expect(kit.mail.outbox()).toEqual([])
  expect(kit.logged.join()).toContain('SES did not take the email: AccessDeniedException')
})

test('the Scheduler takes only a role that it may assume, and fires with the rights of that role', async () => {
  const make = async (assembly: string) => {
    const kit = await start({ assembly, mayBeDenied: true })
    const ctx = kit.service.contextOf('posts-schedule')
    const atMs = kit.clock.now() + minuteMs
    return { kit, made: createSchedule(ctx, { name: 'a', atMs, body: {}, group: 'ws' }) }
  }
  const isScheduleRole = (id: string, type: string) => type === 'AWS::IAM::Role' && id.startsWith('schedulerole')
  const untrusted = await changedAssembly(({ Resources }) => {
    for (const [id, { Type, Properties }] of Object.entries(Resources)) {
      if (isScheduleRole(id, Type)) {
        Properties['AssumeRolePolicyDocument'] = JSON.parse(
          JSON.stringify(Properties['AssumeRolePolicyDocument']).replace(
            'scheduler.amazonaws.com',
            'ecs.amazonaws.com',
          ),
        )
      }
    }
  })
  const refused = await make(untrusted)
  await expect(refused.made).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
  })
  await refused.kit.close()
  const powerless = await changedAssembly(({ Resources }) => {
    for (const [id, { Type, Properties }] of Object.entries(Resources))
      if (isScheduleRole(id, Type)) delete Properties.Policies
  })
  const { kit, made } = await make(powerless)
  await made
  await kit.service.pass(2 * minuteMs)
  expect([...kit.denied]).toEqual([
    expect.stringContaining(`was denied sqs:SendMessage on arn:aws:sqs:${account}:social-local-prepare`),
  ])
})

test('a schedule takes the right to pass its role on', async () => {
  const kit = await start({ assembly: await withoutAction('posts-schedule', 'iam:PassRole'), mayBeDenied: true })
  const ctx = kit.service.contextOf('posts-schedule')
  const made = createSchedule(ctx, { name: 'a', atMs: kit.clock.now() + minuteMs, body: {}, group: 'ws' })
  await expect(made).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringMatching(/iam:PassRole on resource: arn:aws:iam::000000000000:role\//),
  })
})

/** The templates in which a text of the role of API Gateway is replaced. */
const withCaller = (text: string, replacement: string) => {
  const replaced = (value: object) => {
    const before = JSON.stringify(value)
    expect(before).toContain(text)
    return JSON.parse(before.replace(text, replacement))
  }
  return changedAssembly(({ Resources }) => {
    for (const [id, resource] of Object.entries(Resources)) {
      if (resource.Type === 'AWS::IAM::Role' && id.startsWith('caller')) Resources[id] = replaced(resource)
    }
  })
}

test.each([
  [
    'may not call the functions of a group',
    ['social-local-posts-*', 'social-local-post-*'],
    `apigateway was denied lambda:InvokeFunction on arn:aws:lambda:${account}:function:social-local-posts-get`,
  ],
  [
    'trusts another service',
    ['apigateway.amazonaws.com', 'ecs.amazonaws.com'],
    /^apigateway\.amazonaws\.com was denied sts:AssumeRole/,
  ],
  [
    'demands a source, which API Gateway does not give',
    [
      '"Action":"sts:AssumeRole"',
      '"Action":"sts:AssumeRole","Condition":{"StringEquals":{"aws:SourceAccount":"000000000000"}}',
    ],
    /^apigateway\.amazonaws\.com was denied sts:AssumeRole/,
  ],
] as const)('API Gateway answers 500 where its role %s', async (_title, [text, replacement], denial) => {
  const kit = await start({ assembly: await withCaller(text, replacement), mayBeDenied: true })
  await expect(kit.api.posts.get({ params: { id: 'post_1' } })).rejects.toMatchObject({ status: 500 })
  expect([...kit.denied]).toEqual([expect.stringMatching(denial)])
})

test('Lambda polls a queue only with a role that may', async () => {
  const assembly = await withoutAction('relay-events', 'sqs:DeleteMessage')
  await expect(start({ assembly })).rejects.toThrow(
    'The function execution role of social-local-relay-events does not have permissions to call DeleteMessage on SQS',
  )
})

test('a statement that the local IAM does not know stops the start', async () => {
  const assembly = await withStatements('posts-get', ([first, ...others]) => [
    { ...first, Action: 'sqs:SendMessage', Condition: { DateLessThan: { 'aws:CurrentTime': '2030-01-01' } } },
    ...others,
  ])
  await expect(start({ assembly })).rejects.toThrow('the local IAM does not know the condition operator DateLessThan')
})
