import { randomUUID } from 'node:crypto'
import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import {
  BatchWriteItemCommand,
  DynamoDBClient,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms'
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../../../../test/support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start({ mayBeDenied: true })
})
afterAll(() => kit.close())

interface Client {
  send(command: never): Promise<unknown>
  destroy(): void
}

/** A client with the credentials of a function that has almost no rights, over HTTP. */
const as = <C extends Client>(Client: new (config: object) => C, functionName = 'meta-docs') =>
  new Client({ credentials: kit.service.authority.credentialsOf(`social-local-${functionName}`), maxAttempts: 1 })

const table = () => kit.ctx.env('TABLE_NAME')
const key = { PK: { S: 'a' }, SK: { S: 'b' } }

/** One call to each service, and the action that it takes. */
const calls: readonly (readonly [string, () => { client: Client; command: object }, string, number])[] = [
  [
    'dynamodb:Query',
    () => ({ client: as(DynamoDBClient), command: new QueryCommand({ TableName: table(), IndexName: 'status' }) }),
    'AccessDeniedException',
    400,
  ],
  [
    'dynamodb:BatchWriteItem',
    () => ({
      client: as(DynamoDBClient),
      command: new BatchWriteItemCommand({ RequestItems: { [table()]: [{ PutRequest: { Item: key } }] } }),
    }),
    'AccessDeniedException',
    400,
  ],
  [
    'dynamodb:ConditionCheckItem',
    () => ({
      client: as(DynamoDBClient),
      command: new TransactWriteItemsCommand({
        TransactItems: [
          { ConditionCheck: { TableName: table(), Key: key, ConditionExpression: 'attribute_exists(PK)' } },
        ],
      }),
    }),
    'AccessDeniedException',
    400,
  ],
  [
    'sqs:sendmessage',
    () => ({
      client: as(SQSClient),
      command: new SendMessageBatchCommand({
        QueueUrl: `${kit.ctx.env('QUEUE_URL_PREFIX')}events`,
        Entries: [{ Id: 'a', MessageBody: 'a' }],
      }),
    }),
    'AccessDenied',
    403,
  ],
  [
    'secretsmanager:GetSecretValue',
    () => ({ client: as(SecretsManagerClient), command: new GetSecretValueCommand({ SecretId: 'nobody knows it' }) }),
    'AccessDeniedException',
    400,
  ],
  [
    'kms:GenerateDataKeyWithoutPlaintext',
    () => ({
      client: as(KMSClient),
      command: new GenerateDataKeyWithoutPlaintextCommand({ KeyId: kit.ctx.env('DATA_KEY_ID'), KeySpec: 'AES_256' }),
    }),
    'AccessDeniedException',
    400,
  ],
  [
    'events:PutEvents',
    () => ({ client: as(EventBridgeClient), command: new PutEventsCommand({ Entries: [{ Source: 'a' }] }) }),
    'AccessDeniedException',
    400,
  ],
  [
    'scheduler:CreateSchedule',
    () => ({
      client: as(SchedulerClient),
      command: new CreateScheduleCommand({
        Name: 'a',
        ScheduleExpression: 'rate(1 hour)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        ClientToken: randomUUID(),
        Target: { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage', RoleArn: kit.ctx.env('SCHEDULE_ROLE_ARN') },
      }),
    }),
    'AccessDeniedException',
    403,
  ],
  [
    'bedrock:InvokeModel',
    () => ({ client: as(BedrockRuntimeClient), command: new ConverseCommand({ modelId: 'm:0', messages: [] }) }),
    'AccessDeniedException',
    403,
  ],
  [
    'ses:SendEmail',
    () => ({
      client: as(SESv2Client),
      command: new SendEmailCommand({
        FromEmailAddress: 'service@example.com',
        Destination: { ToAddresses: ['a@example.com'] },
        Content: { Simple: { Subject: { Data: 'a' }, Body: { Text: { Data: 'a' } } } },
      }),
    }),
    'AccessDeniedException',
    403,
  ],
]

test.each(
  calls,
)('%s is denied without a right to it, with the error of the service', async (action, call, name, status) => {
  const { client, command } = call()
  const answer = client.send(command as never)
  const user =
    'arn:aws:sts::000000000000:assumed-role/social-local-api-meta-metadocsrole[0-9a-f]+/social-local-meta-docs'
  const sentence = new RegExp(
    `^User:? \\W?${user}\\W? is not authorized to perform:? \\W?${action}\\W? on resource:? \\W?arn:aws:`,
  )
  await expect(answer).rejects.toMatchObject({
    name,
    message: expect.stringMatching(sentence),
    $metadata: { httpStatusCode: status },
  })
  client.destroy()
})

test('an unknown key is rejected', async () => {
  const credentials = { accessKeyId: 'ASIAUNKNOWN', secretAccessKey: 'a' }
  const client = new DynamoDBClient({ credentials, maxAttempts: 1 })
  await expect(client.send(new QueryCommand({ TableName: table() }))).rejects.toMatchObject({
    name: 'UnrecognizedClientException',
    message: 'The security token included in the request is invalid.',
  })
  client.destroy()
})

test('the right to count calls covers the rows that count them, and no others', async () => {
  const client = as(DynamoDBClient, 'posts-get')
  const update = (PK: string) =>
    client.send(
      new UpdateItemCommand({
        TableName: table(),
        Key: { PK: { S: PK }, SK: { S: 'a' } },
        UpdateExpression: 'ADD calls :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    )
  await update('RL#1')
  await expect(update('WS#1')).rejects.toMatchObject({ name: 'AccessDeniedException' })
  client.destroy()
})
