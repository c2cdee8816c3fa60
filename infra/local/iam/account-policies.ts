import { findIn } from '../template/declared.ts'
import { type FunctionPlan, functionPlans } from '../template/functions.ts'
import { makeResolver } from '../template/resolve.ts'
import { oncePerStacks, type Stack } from '../template/stack.ts'
import { tablePlans } from '../template/stores.ts'
import { readResourcePolicies } from './resource-policies.ts'
import { type Role, readRoles } from './roles.ts'
import type { Statement } from './statement.ts'

/** Every policy of the templates that a local service must respect. */
export interface AccountPolicies {
  /** By ARN. */
  roles: ReadonlyMap<string, Role>
  /** The role of each function, by the name of the function. */
  functions: ReadonlyMap<string, FunctionRole>
  /** By the ARN of the resource. */
  resources: ReadonlyMap<string, readonly Statement[]>
  /** The partition keys of the tables and of their indexes, by `<table>` and `<table>/index/<index>`. */
  partitionKeys: ReadonlyMap<string, string>
}

interface FunctionRole {
  role: Role
  logGroup: string | undefined
}

const roleOf = ({ name, role: arn }: FunctionPlan, roles: ReadonlyMap<string, Role>): Role => {
  const role = roles.get(arn)
  if (role === undefined) throw new Error(`the function ${name} has the role ${arn}, which is in no template`)
  return role
}

type KeySchema = readonly { AttributeName: string; KeyType: string }[]

const partitionKeyOf = (schema: KeySchema): string =>
  schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? ''

const read = (stacks: readonly Stack[]): AccountPolicies => {
  const find = findIn(stacks, makeResolver(stacks))
  const roles = readRoles(find)
  const plans = functionPlans(find)
  const keys = tablePlans(find).flatMap(({ TableName, KeySchema, GlobalSecondaryIndexes = [] }) => [
    [TableName, partitionKeyOf(KeySchema)] as const,
    ...GlobalSecondaryIndexes.map(
      (index) => [`${TableName}/index/${index.IndexName}`, partitionKeyOf(index.KeySchema)] as const,
    ),
  ])
  return {
    roles,
    functions: new Map(plans.map((plan) => [plan.name, { role: roleOf(plan, roles), logGroup: plan.logGroup }])),
    resources: readResourcePolicies(find),
    partitionKeys: new Map(keys),
  }
}

/** Reads the policies of an app; throws for a construct that the local IAM does not know. */
export const readAccountPolicies = oncePerStacks(read)
