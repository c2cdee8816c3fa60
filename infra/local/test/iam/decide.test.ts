import { expect, test } from 'vitest'
import type { Principal } from '../../iam/access.ts'
import { decide } from '../../iam/decide.ts'
import { readPolicy } from '../../iam/statement.ts'

const account = '111122223333'
const roleArn = `arn:aws:iam::${account}:role/app`
const role: Principal = { kind: 'role', arn: `arn:aws:sts::${account}:assumed-role/app/run`, roleArn }
const policy = (...Statement: object[]) => readPolicy({ Version: '2012-10-17', Statement })

const queue = `arn:aws:sqs:us-east-1:${account}:jobs`
const send = { action: 'sqs:SendMessage', resource: queue }
const secure = { 'aws:securetransport': ['true'] }
const allow = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queue }
const tlsOnly = {
  Effect: 'Deny',
  Principal: '*',
  Action: 'sqs:*',
  Resource: '*',
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
}

test('an explicit deny comes before an allow, and an allow before the implicit deny', () => {
  const decideFor = (identity: object[], resource: object[], context = secure) =>
    decide(role, send, context, {
      identity: policy(...identity),
      resource: policy(...resource),
      resourceMustAllow: false,
    })
  expect(decideFor([allow], [tlsOnly])).toEqual({ allowed: true })
  expect(decideFor([], [tlsOnly])).toEqual({
    allowed: false,
    because: 'because no identity-based policy allows the sqs:SendMessage action',
  })
  expect(decideFor([allow], [tlsOnly], { 'aws:securetransport': ['false'] })).toEqual({
    allowed: false,
    because: 'with an explicit deny in a resource-based policy',
  })
  expect(decideFor([allow, { ...allow, Effect: 'Deny' }], [])).toEqual({
    allowed: false,
    because: 'with an explicit deny in an identity-based policy',
  })
  // Within an account the policy of the resource is enough.
  expect(decideFor([], [{ ...allow, Principal: { AWS: roleArn } }])).toEqual({ allowed: true })
  expect(decideFor([], [{ ...allow, Principal: { AWS: `arn:aws:iam::${account}:root` } }])).toMatchObject({
    allowed: false,
  })
})

test('KMS needs a key policy that allows the role, or that leaves it to the policies of the account', () => {
  const key = `arn:aws:kms:us-east-1:${account}:key/1`
  const decrypt = { Effect: 'Allow', Action: 'kms:Decrypt', Resource: key }
  const root = { Effect: 'Allow', Principal: { AWS: `arn:aws:iam::${account}:root` }, Action: 'kms:*', Resource: '*' }
  const decideFor = (identity: object[], resource: object[]) =>
    decide(role, { action: 'kms:Decrypt', resource: key }, secure, {
      identity: policy(...identity),
      resource: policy(...resource),
      resourceMustAllow: true,
    })
  expect(decideFor([decrypt], [root])).toEqual({ allowed: true })
  expect(decideFor([], [{ ...decrypt, Principal: { AWS: roleArn } }])).toEqual({ allowed: true })
  expect(decideFor([], [root])).toMatchObject({ because: expect.stringContaining('no identity-based policy') })
  expect(decideFor([decrypt], [])).toMatchObject({ because: expect.stringContaining('no resource-based policy') })
})

// DynamoDB guide, "Using IAM policy conditions for fine-grained access control".
test('ForAllValues holds for each value, and for a key without values', () => {
  const table = `arn:aws:dynamodb:us-east-1:${account}:table/t`
  const update = { action: 'dynamodb:UpdateItem', resource: table }
  const Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['RL#*'] } }
  const identity = policy({ Effect: 'Allow', Action: update.action, Resource: table, Condition })
  const decideFor = (...keys: string[]) =>
    decide(
      role,
      update,
      { ...secure, 'dynamodb:leadingkeys': keys },
      { identity, resource: [], resourceMustAllow: false },
    ).allowed
  expect([
    decideFor('RL#1'),
    decideFor('RL#1', 'RL#2'),
    decideFor('RL#1', 'WS#1'),
    decideFor('WS#1'),
    decideFor(),
  ]).toEqual([...[true, true, false, false, true]])
})

test('a condition on a key that the request does not have is not met', () => {
  const Condition = { StringEquals: { 'aws:SourceAccount': account } }
  const trust = policy({
    Effect: 'Allow',
    Principal: { Service: 's.amazonaws.com' },
    Action: 'sts:AssumeRole',
    Condition,
  })
  const service: Principal = { kind: 'service', service: 's.amazonaws.com', sourceArn: queue }
  const decideFor = (context: Record<string, string[]>) =>
    decide(service, { action: 'sts:AssumeRole', resource: roleArn }, context, {
      identity: [],
      resource: trust,
      resourceMustAllow: true,
    }).allowed
  expect([
    decideFor({ 'aws:sourceaccount': [account] }),
    decideFor({ 'aws:sourceaccount': ['999999999999'] }),
    decideFor({}),
  ]).toEqual([...[true, false, false]])
})

const unknown: readonly (readonly [string, object])[] = [
  ['NotAction', { Effect: 'Allow', NotAction: 'sqs:*', Resource: '*' }],
  ['NotPrincipal', { ...tlsOnly, NotPrincipal: '*' }],
  ['an operator', { ...allow, Condition: { StringNotLike: { 'aws:SourceArn': '*' } } }],
  ['a set operator', { ...allow, Condition: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': '*' } } }],
  ['IfExists', { ...allow, Condition: { BoolIfExists: { 'aws:SecureTransport': 'true' } } }],
  ['a condition key', { ...allow, Condition: { StringEquals: { 'aws:PrincipalTag/team': 'a' } } }],
  ['a principal', { ...allow, Principal: { Federated: 'accounts.google.com' } }],
  ['a user', { ...allow, Principal: { AWS: `arn:aws:iam::${account}:user/a` } }],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: IAM's own syntax.
  ['a policy variable', { ...allow, Resource: 'arn:aws:s3:::bucket/${aws:username}/*' }],
]

test.each(unknown)('rejects %s, which it does not know', (_title, statement) => {
  expect(() => policy(statement)).toThrow(/the local IAM does not know/)
})

test('rejects a policy of another version', () => {
  expect(() => readPolicy({ Version: '2008-10-17', Statement: [] })).toThrow()
})
