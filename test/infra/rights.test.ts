import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '../../functions/routes.ts'
import { needsOf, rightsOf } from '../../infra/stacks/rights.ts'
import { read, synthesize } from './synth.ts'

const Statement = z.object({
  Effect: z.string(),
  Action: z.union([z.string(), z.array(z.string())]),
  Resource: z.unknown(),
})
const Role = z.object({
  logicalId: z.string(),
  Policies: z.optional(
    z.array(z.object({ PolicyName: z.string(), PolicyDocument: z.object({ Statement: z.array(Statement) }) })),
  ),
})

const roles = read(synthesize().app, 'AWS::IAM::Role', Role)
const statementsOf = (role: z.infer<typeof Role>) =>
  (role.Policies ?? []).flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
const actionsOf = (role: z.infer<typeof Role>) =>
  statementsOf(role).flatMap(({ Action }) => (typeof Action === 'string' ? [Action] : Action))

test('no role allows every action of a service, or any action on everything', () => {
  expect(roles.length).toBeGreaterThan(routes.length)
  for (const role of roles) {
    for (const action of actionsOf(role)) expect(action, role.logicalId).not.toContain('*')
    for (const { Resource } of statementsOf(role)) expect(JSON.stringify(Resource), role.logicalId).not.toMatch(/"\*"/)
  }
})

test('each endpoint may do what its needs grant, and write its logs', () => {
  for (const { name, endpoint } of routes) {
    const role = roles.find(({ logicalId }) => logicalId.startsWith(`${name.replaceAll('-', '')}role`))
    const granted = rightsOf(needsOf(endpoint.contract)).flatMap(({ actions }) => actions)
    const expected = new Set([...granted, 'logs:CreateLogStream', 'logs:PutLogEvents'])
    expect(role && new Set(actionsOf(role)), name).toEqual(expected)
  }
})

test('a reading endpoint cannot write, and one that needs no token reads nothing', () => {
  const reading = rightsOf(needsOf({ access: { kind: 'person', scope: null }, needs: ['table:read'] }))
  const actions = reading.flatMap((right) => right.actions)
  expect(actions).toEqual(expect.arrayContaining(['dynamodb:BatchGetItem', 'secretsmanager:GetSecretValue']))
  expect(actions.filter((action) => /Put|Update|Delete|Send/.test(action))).toEqual([])
  expect(rightsOf(needsOf({ access: { kind: 'anyone' }, needs: [] }))).toEqual([])
})

test('schedules may send to the prepare queue and do nothing else', () => {
  const role = roles.find(({ logicalId }) => logicalId.startsWith('schedulerole'))
  const [statement, ...others] = role ? statementsOf(role) : []
  expect(others).toEqual([])
  expect(statement?.Action).toBe('sqs:SendMessage')
  expect(JSON.stringify(statement?.Resource)).toMatch(/preparequeue/)
})
