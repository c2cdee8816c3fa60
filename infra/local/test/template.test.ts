import { expect, test } from 'vitest'
import { findIn } from '../template/declared.ts'
import { clockPlans, mappingPlans } from '../template/functions.ts'
import { makeResolver } from '../template/resolve.ts'
import { parseStack } from '../template/stack.ts'

const data = parseStack('data', {
  Resources: {
    table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: {} },
    secret: { Type: 'AWS::SecretsManager::Secret' },
    named: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::Join': ['-', ['social', 'jobs']] } } },
    stored: {
      Type: 'AWS::SSM::Parameter',
      Properties: { Name: { 'Fn::Join': ['', ['/', { Ref: 'AWS::StackName' }, '/table']] }, Value: { Ref: 'table' } },
    },
  },
})
const app = parseStack('app', {
  Parameters: {
    Stage: { Type: 'String', Default: 'live' },
    Table: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/data/table' },
    Nowhere: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/data/other' },
  },
  Resources: {
    run: { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'social-run' } },
    odd: { Type: 'AWS::Odd::Thing' },
  },
})
const { resolve } = makeResolver([data, app])

test.each([
  ['the name of a resource', { Ref: 'table' }, 'data-table'],
  ['the URL of a queue', { Ref: 'named' }, 'https://sqs.us-east-1.amazonaws.com/000000000000/social-jobs'],
  ['the ARN of a secret', { Ref: 'secret' }, 'arn:aws:secretsmanager:us-east-1:000000000000:secret:data-secret'],
  ['an attribute in a list', { 'Fn::GetAtt': ['named', 'Arn'] }, 'arn:aws:sqs:us-east-1:000000000000:social-jobs'],
  ['an attribute in a text', { 'Fn::GetAtt': 'named.QueueName' }, 'social-jobs'],
  ['joined parts', { 'Fn::Join': ['/', ['a', { Ref: 'AWS::Region' }, 3]] }, 'a/us-east-1/3'],
  [
    'a text with names in it',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's own syntax.
    { 'Fn::Sub': '${AWS::Partition}:${table}:${named.Arn}:${!kept}' },
    /^aws:data-table:arn:.*:\$\{kept\}$/,
  ],
  [
    'a text with its own values',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: CloudFormation's own syntax.
    { 'Fn::Sub': ['${table} ${x}', { x: { Ref: 'AWS::URLSuffix' } }] },
    'data-table amazonaws.com',
  ],
  ['one of several', { 'Fn::Select': ['1', { 'Fn::Split': [':', 'a:b:c'] }] }, 'b'],
])('resolves %s', (_title, value, expected) => {
  const resolved = resolve(data, value)
  if (expected instanceof RegExp) expect(resolved).toMatch(expected)
  else expect(resolved).toBe(expected)
})

test('resolves parameters, values of another stack, and missing values', () => {
  const value = { stage: { Ref: 'Stage' }, table: { Ref: 'Table' }, gone: { Ref: 'AWS::NoValue' } }
  expect(resolve(app, [value])).toEqual([{ stage: 'live', table: 'data-table' }])
})

test.each([
  ['an unknown function', { 'Fn::Cidr': ['a', 'b'] }, /Fn::Cidr/],
  ['an unknown resource', { Ref: 'nowhere' }, /nowhere/],
  ['a value that no stack stores', { Ref: 'Nowhere' }, /\/data\/other/],
  ['an attribute it cannot tell', { 'Fn::GetAtt': ['odd', 'Arn'] }, /no Arn of AWS::Odd::Thing/],
])('rejects %s', (_title, value, message) => {
  expect(() => resolve(app, value)).toThrow(message)
})

const wired = (properties: object, type: string) => {
  const stack = parseStack('app', { Resources: { it: { Type: type, Properties: properties } } })
  return findIn([stack], makeResolver([stack]))
}

test('reads how a queue triggers a function, and rejects a mapping that would repeat successful messages', () => {
  const source = 'arn:aws:sqs:us-east-1:000000000000:social-jobs'
  const target = 'arn:aws:lambda:us-east-1:000000000000:function:social-run'
  const mapping = {
    EventSourceArn: source,
    FunctionName: target,
    BatchSize: 4,
    ScalingConfig: { MaximumConcurrency: 2 },
  }
  const type = 'AWS::Lambda::EventSourceMapping'
  expect(mappingPlans(wired({ ...mapping, FunctionResponseTypes: ['ReportBatchItemFailures'] }, type))).toEqual([
    {
      queueName: 'social-jobs',
      queueArn: source,
      functionName: 'social-run',
      batchSize: 4,
      pollers: 2,
      maxPollers: 2,
      growEveryMs: 200,
    },
  ])
  expect(() => mappingPlans(wired(mapping, type))).toThrow(/social-jobs/)
})

test('reads schedules in minutes, skips rules without one, and rejects other expressions', () => {
  const Targets = [{ Arn: 'arn:aws:lambda:us-east-1:000000000000:function:social-run' }]
  const read = (rule: object) => clockPlans(wired({ ...rule, Targets }, 'AWS::Events::Rule'))
  const ruleArn = 'arn:aws:events:us-east-1:000000000000:rule/app-it'
  const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:social-run'
  const expected = { functionName: 'social-run', functionArn, ruleArn }
  expect(read({ ScheduleExpression: 'rate(1 minute)' })).toEqual([{ ...expected, everyMinutes: 1 }])
  expect(read({ ScheduleExpression: 'rate(15 minutes)' })).toEqual([{ ...expected, everyMinutes: 15 }])
  expect(read({ EventPattern: {} })).toEqual([])
  expect(() => read({ ScheduleExpression: 'cron(0 3 * * ? *)' })).toThrow(/cron/)
})
