import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { GetScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler'
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { DeleteMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../engines/engine.ts'
import { startJsonServer } from '../../engines/json-server.ts'
import { isSigned } from '../../iam/signature.ts'

const keys = { accessKeyId: 'ASIA1', secretAccessKey: 'a secret/with+signs' }
let nowMs = Date.now()
let server: Engine

beforeAll(async () => {
  const secretOf = (accessKeyId: string) => (accessKeyId === keys.accessKeyId ? keys.secretAccessKey : undefined)
  const refusal = { status: 403, headers: { 'x-amzn-errortype': 'InvalidSignatureException' }, body: { message: 'No' } }
  server = await startJsonServer(
    0,
    'application/x-amz-json-1.0',
    () => ({ status: 200, body: {} }),
    (request) => (isSigned(request, secretOf, nowMs) ? undefined : refusal),
    { overSocket: true },
  )
})
afterAll(() => server.close())

interface Sent {
  headers: Record<string, string>
  path: string
  query: Record<string, string>
  body: string
}

const options = (credentials = keys) => ({ endpoint: server.url, region: 'us-east-1', credentials, maxAttempts: 1 })

const dynamodb = (credentials = keys, change: (sent: Sent) => void = () => {}) => {
  const client = new DynamoDBClient(options(credentials))
  client.middlewareStack.add(
    (next) => async (args) => {
      change((args as unknown as { request: Sent }).request)
      return next(args)
    },
    // After the request is signed.
    { step: 'deserialize', name: 'change' },
  )
  return client.send(new GetItemCommand({ TableName: 'posts', Key: { PK: { S: 'Grüße / 100 %' } } }))
}

test('what the official clients sign is accepted: headers, paths, queries, and bodies', async () => {
  await dynamodb()
  await new SQSClient(options()).send(
    new DeleteMessageCommand({ QueueUrl: `${server.url}/0/q`, ReceiptHandle: 'Grüße' }),
  )
  const Content = { Simple: { Subject: { Data: 'ü' }, Body: { Text: { Data: 'ü' } } } }
  await new SESv2Client(options()).send(new SendEmailCommand({ FromEmailAddress: 'a@b.test', Content }))
  // A name with characters that are encoded in the path, and a query.
  const schedule = { Name: 'a b+c/ü', GroupName: 'g&h=i j' }
  await new SchedulerClient(options()).send(new GetScheduleCommand(schedule))
})

const refused = { name: 'InvalidSignatureException' }

test.each<[string, (sent: Sent) => void]>([
  ['body', (sent) => (sent.body = sent.body.replace('posts', 'users'))],
  ['operation', (sent) => (sent.headers['x-amz-target'] = 'DynamoDB_20120810.DeleteItem')],
  ['path', (sent) => (sent.path = '/other')],
  ['query', (sent) => (sent.query = { more: '1' })],
  ['date', (sent) => (sent.headers['x-amz-date'] = '20200101T000000Z')],
  ['signature', (sent) => (sent.headers['authorization'] = sent.headers['authorization']?.slice(0, -1) ?? '')],
  [
    'list of signed headers',
    (sent) =>
      (sent.headers['authorization'] =
        sent.headers['authorization']?.replace(/SignedHeaders=[^,]+/, 'SignedHeaders=host') ?? ''),
  ],
  [
    'access key ID',
    (sent) => (sent.headers['authorization'] = sent.headers['authorization']?.replace('ASIA1', 'ASIA2') ?? ''),
  ],
  ['missing signature', (sent) => (sent.headers['authorization'] = 'AWS4-HMAC-SHA256 Credential=ASIA1/')],
])('a changed %s is refused', async (_what, change) => {
  await expect(dynamodb(keys, change)).rejects.toMatchObject(refused)
})

test('a wrong secret is refused, and so is a request of an hour ago', async () => {
  await expect(dynamodb({ ...keys, secretAccessKey: 'guess' })).rejects.toMatchObject(refused)
  nowMs += 3_600_000
  await expect(dynamodb()).rejects.toMatchObject(refused)
  nowMs -= 3_600_000
  await dynamodb()
})
