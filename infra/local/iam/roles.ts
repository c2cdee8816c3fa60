import * as z from 'zod/mini'
import { lastPart } from '../template/arn.ts'
import type { Find } from '../template/declared.ts'
import { readPolicy, type Statement } from './statement.ts'

/** A role of the templates. */
export interface Role {
  arn: string
  name: string
  statements: readonly Statement[]
  /** Who may assume it. */
  trust: readonly Statement[]
}

const RoleShape = z.object({
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z._default(z.array(z.object({ PolicyDocument: z.unknown() })), []),
  ManagedPolicyArns: z._default(z.array(z.string()), []),
  PermissionsBoundary: z.optional(z.unknown()),
})

/** Forms in which a template could grant rights, other than the inline policies of its roles. */
const elsewhere = [
  ...['AWS::IAM::Policy', 'AWS::IAM::RolePolicy', 'AWS::IAM::ManagedPolicy'],
  ...['AWS::DynamoDB::ResourcePolicy', 'AWS::Events::EventBusPolicy', 'AWS::SecretsManager::ResourcePolicy'],
  ...['AWS::KMS::Grant', 'AWS::SQS::QueueInlinePolicy'],
]

/** Managed policies of roles that no local service uses: for the logs of API Gateway, and for releases. */
const taken = ['AmazonAPIGatewayPushToCloudWatchLogs', 'AWSCodeDeployRoleForLambdaLimited']

/** The roles of functions and schedules, by ARN; throws for rights that the local IAM does not support. */
export const readRoles = (find: Find): Map<string, Role> => {
  const [unread] = find(...elsewhere)
  if (unread !== undefined) throw new Error(`the local IAM does not read the policy ${unread.name}`)
  return new Map(
    find('AWS::IAM::Role').flatMap((declared) => {
      const { AssumeRolePolicyDocument, Policies, ManagedPolicyArns, PermissionsBoundary } = declared.read(RoleShape)
      const arn = declared.attribute('Arn')
      if (ManagedPolicyArns.every((policy) => taken.includes(lastPart(policy)))) {
        if (ManagedPolicyArns.length > 0) return []
      } else throw new Error(`the local IAM does not know the policies ${ManagedPolicyArns.join(', ')}`)
      if (PermissionsBoundary !== undefined) throw new Error(`the local IAM does not know the boundary of ${arn}`)
      const statements = Policies.flatMap(({ PolicyDocument }) => readPolicy(PolicyDocument))
      return [[arn, { arn, name: lastPart(arn), statements, trust: readPolicy(AssumeRolePolicyDocument) }] as const]
    }),
  )
}
