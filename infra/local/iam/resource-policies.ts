import * as z from 'zod/mini'
import { accountId, region } from '../template/account.ts'
import { lastPart } from '../template/arn.ts'
import type { Find } from '../template/declared.ts'
import { readPolicy, type Statement } from './statement.ts'

const QueuePolicyShape = z.object({ PolicyDocument: z.unknown(), Queues: z.array(z.string()) })
const BucketPolicyShape = z.object({ PolicyDocument: z.unknown(), Bucket: z.string() })
const KeyShape = z.object({ KeyPolicy: z.unknown() })
const PermissionShape = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.optional(z.string()),
  SourceAccount: z.optional(z.string()),
})

type Policy = readonly [arn: string, statements: readonly Statement[]]

const queuePolicies = (find: Find): Policy[] =>
  find('AWS::SQS::QueuePolicy').flatMap((declared) => {
    const { PolicyDocument, Queues } = declared.read(QueuePolicyShape)
    const statements = readPolicy(PolicyDocument)
    return Queues.map((url): Policy => [`arn:aws:sqs:${region}:${accountId}:${lastPart(url)}`, statements])
  })

const bucketPolicies = (find: Find): Policy[] =>
  find('AWS::S3::BucketPolicy').map((declared) => {
    const { PolicyDocument, Bucket } = declared.read(BucketPolicyShape)
    return [`arn:aws:s3:::${Bucket}`, readPolicy(PolicyDocument)]
  })

const keyPolicies = (find: Find): Policy[] =>
  find('AWS::KMS::Key').map((declared) => [declared.attribute('Arn'), readPolicy(declared.read(KeyShape).KeyPolicy)])

/** A permission is a statement of the function's policy (Lambda API, AddPermission). */
const functionPolicies = (find: Find): Policy[] =>
  find('AWS::Lambda::Permission').map((declared) => {
    const { Action, FunctionName, Principal, SourceArn, SourceAccount } = declared.read(PermissionShape)
    const arn = FunctionName
    const condition = {
      ...(SourceArn === undefined ? {} : { ArnLike: { 'aws:SourceArn': SourceArn } }),
      ...(SourceAccount === undefined ? {} : { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
    }
    const statement = {
      Effect: 'Allow',
      Principal: { Service: Principal },
      Action,
      Resource: arn,
      Condition: condition,
    }
    return [arn, readPolicy({ Version: '2012-10-17', Statement: [statement] })]
  })

/** The statements of the policies of queues, buckets, keys, and functions, by the ARN of the resource. */
export const readResourcePolicies = (find: Find): Map<string, Statement[]> => {
  const policies = new Map<string, Statement[]>()
  for (const read of [queuePolicies, bucketPolicies, keyPolicies, functionPolicies]) {
    for (const [arn, statements] of read(find)) policies.set(arn, [...(policies.get(arn) ?? []), ...statements])
  }
  return policies
}
