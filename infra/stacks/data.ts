import { CfnOutput, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib'
import { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { indexes } from '../../shared/resources.ts'
import { projectedAttributes } from '../../shared/sweeper/row.ts'
import { waitingAttributes } from '../../shared/webhooks/draining/waiting.ts'
import type { Configuration } from './configuration.ts'
import { makeMedia } from './media.ts'
import { physicalName } from './names.ts'
import { makeSearch } from './search.ts'

const text = (name: string) => ({ name, type: AttributeType.STRING })

const makeTable = (scope: Construct) =>
  new TableV2(scope, 'table', {
    partitionKey: text('PK'),
    sortKey: text('SK'),
    billing: Billing.onDemand(),
    // AWS's own key: secrets in rows are sealed with the data key below, and a customer key would add its price to each function's rights and calls.
    encryption: TableEncryptionV2.dynamoOwnedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    timeToLiveAttribute: 'ttl',
    globalSecondaryIndexes: [
      {
        indexName: indexes.account.name,
        partitionKey: text(indexes.account.partition),
        sortKey: text(indexes.account.sort),
        projectionType: ProjectionType.KEYS_ONLY,
      },
      {
        indexName: indexes.status.name,
        partitionKey: text(indexes.status.partition),
        sortKey: text(indexes.status.sort),
        projectionType: ProjectionType.KEYS_ONLY,
      },
      {
        indexName: indexes.sweep.name,
        partitionKey: text(indexes.sweep.partition),
        sortKey: { name: indexes.sweep.sort, type: AttributeType.NUMBER },
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...projectedAttributes],
      },
      {
        indexName: indexes.waiting.name,
        partitionKey: text(indexes.waiting.partition),
        sortKey: text(indexes.waiting.sort),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...waitingAttributes],
      },
    ],
  })

const makeTokenKeys = (scope: Construct) => {
  const secret = new Secret(scope, 'token-keys', {
    description: 'Keys of the check in every token; "previous" lives on while a new one takes over.',
    generateSecretString: {
      secretStringTemplate: '{}',
      generateStringKey: 'current',
      passwordLength: 64,
      excludePunctuation: true,
    },
    removalPolicy: RemovalPolicy.RETAIN,
  })
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'a new key ends every token made with the one before the previous: an operator decides when',
  })
  return secret
}

/** Other systems hang their rules on this bus, so it stays when the rest is replaced. */
const makeBus = (scope: Construct) => {
  const bus = new EventBus(scope, 'events', {
    eventBusName: physicalName('events'),
    description: 'What happens to posts and accounts, in the envelopes of webhooks.',
  })
  bus.applyRemovalPolicy(RemovalPolicy.RETAIN)
  new CfnOutput(scope, 'event-bus-name', { value: bus.eventBusName })
  new CfnOutput(scope, 'event-bus-arn', { value: bus.eventBusArn })
  return bus
}

/** What outlives every deployment: the table, the files, the bus, and the keys that open them. */
export const makeData = (scope: Construct, configuration: Configuration, props: StackProps = {}) => {
  const stack = new Stack(scope, 'social-data', { ...props, terminationProtection: true })
  const media = makeMedia(stack)
  return {
    stack,
    table: makeTable(stack),
    ...media,
    ...makeSearch(stack, media.logs, configuration),
    tokenKeys: makeTokenKeys(stack),
    bus: makeBus(stack),
    dataKey: new Key(stack, 'data-key', {
      description: 'Encrypts the data key of each workspace.',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    }),
  }
}

export type Data = ReturnType<typeof makeData>
