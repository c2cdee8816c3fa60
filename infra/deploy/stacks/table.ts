import { RemovalPolicy, type Stack } from 'aws-cdk-lib'
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import type { Construct } from 'constructs'
import { indexes } from '../../../shared/resources.ts'
import { projectedAttributes } from '../../../shared/sweeper/rules.ts'
import { waitingAttributes } from '../../../shared/webhooks/draining/waiting.ts'
import type { Configuration } from './configuration.ts'
import { storeParameter } from './parameters.ts'
import { makeStack } from './stack.ts'
import { warmOf } from './throughput.ts'

const text = (name: string) => ({ name, type: AttributeType.STRING })

/** In a fixed order: CloudFormation may see another order as another projection, which an index cannot get. */
const projected = (attributes: readonly string[]): string[] => [...attributes].sort()

const makeTable = (scope: Construct, { warmThroughput }: Configuration) =>
  new TableV2(scope, 'table', {
    partitionKey: text('PK'),
    sortKey: text('SK'),
    billing: Billing.onDemand(),
    ...warmOf(warmThroughput, 'table'),
    // AWS's own key: secrets in rows are sealed with the data key below, and a customer key would add its price to each function's rights and calls.
    encryption: TableEncryptionV2.dynamoOwnedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    timeToLiveAttribute: 'ttl',
    globalSecondaryIndexes: [
      {
        indexName: indexes.account.name,
        ...warmOf(warmThroughput, 'account'),
        partitionKey: text(indexes.account.partition),
        sortKey: text(indexes.account.sort),
        projectionType: ProjectionType.INCLUDE,
        // A post that changes its status keeps its position, which costs half as much as a key that changes.
        nonKeyAttributes: ['status'],
      },
      {
        indexName: indexes.status.name,
        ...warmOf(warmThroughput, 'status'),
        partitionKey: text(indexes.status.partition),
        sortKey: text(indexes.status.sort),
        projectionType: ProjectionType.KEYS_ONLY,
      },
      {
        indexName: indexes.sweep.name,
        ...warmOf(warmThroughput, 'sweep'),
        partitionKey: text(indexes.sweep.partition),
        sortKey: { name: indexes.sweep.sort, type: AttributeType.NUMBER },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: projected(projectedAttributes),
      },
      {
        indexName: indexes.waiting.name,
        ...warmOf(warmThroughput, 'waiting'),
        partitionKey: text(indexes.waiting.partition),
        sortKey: text(indexes.waiting.sort),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: projected(waitingAttributes),
      },
      {
        indexName: indexes.time.name,
        ...warmOf(warmThroughput, 'time'),
        partitionKey: text(indexes.time.partition),
        sortKey: text(indexes.time.sort),
        projectionType: ProjectionType.KEYS_ONLY,
      },
    ],
  })

/**
 * The table, in a separate stack: nothing else in it can fail and have CloudFormation roll back a table that its
 * deletion protection keeps.
 */
export const makeTableStack = (scope: Construct, configuration: Configuration): Stack => {
  const stack = makeStack(scope, configuration, 'table', {
    description: 'The table of the Social Publishing Service.',
    terminationProtection: true,
  })
  storeParameter(stack, configuration.names, 'table-name', makeTable(stack, configuration).tableName)
  return stack
}
