import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as eventbridge from '@aws-sdk/client-eventbridge'
import * as kms from '@aws-sdk/client-kms'
import * as s3 from '@aws-sdk/client-s3'
import * as scheduler from '@aws-sdk/client-scheduler'
import * as secrets from '@aws-sdk/client-secrets-manager'
import * as ses from '@aws-sdk/client-sesv2'
import * as sqs from '@aws-sdk/client-sqs'
import { BusEvent } from '../../../engines/bus/shapes.ts'
import { openRows } from '../../../engines/stored-rows.ts'

/** The address of each engine, by its name. */
export type Urls = Readonly<Record<string, string>>

const at = (endpoint: string | undefined) => ({
  endpoint: endpoint ?? '',
  region: 'us-east-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  maxAttempts: 1,
})

/** A write to one engine, and a look at what is there of it. */
interface Write {
  engine: string
  /** Resolves when the engine has answered; the write holds the name. */
  make(urls: Urls, name: string): Promise<unknown>
  /** The engine's current value, read by another process. */
  look(urls: Urls, name: string, made: unknown, folder: string): Promise<unknown>
  /** The expected value. */
  expected(name: string): unknown
}

const queueOf = async (client: sqs.SQSClient) =>
  (await client.send(new sqs.CreateQueueCommand({ QueueName: 'kept' }))).QueueUrl

const receive = async (client: sqs.SQSClient, QueueUrl: string | undefined) =>
  (await client.send(new sqs.ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 })))
    .Messages ?? []

export const writes: readonly Write[] = [
  {
    engine: 'queues',
    async make(urls, name) {
      const client = new sqs.SQSClient(at(urls['queues']))
      const QueueUrl = await queueOf(client)
      const send = (MessageBody: string) => client.send(new sqs.SendMessageCommand({ QueueUrl, MessageBody }))
      await send(`${name}, deleted`)
      const [{ ReceiptHandle } = {}] = await receive(client, QueueUrl)
      await send(name)
      await client.send(new sqs.DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
    },
    async look(urls) {
      const client = new sqs.SQSClient(at(urls['queues']))
      return (await receive(client, await queueOf(client))).map(({ Body }) => Body)
    },
    expected: (name) => [name],
  },
  {
    engine: 'schedules',
    make: (urls, Name) =>
      new scheduler.SchedulerClient(at(urls['schedules'])).send(
        new scheduler.CreateScheduleCommand({
          Name,
          ScheduleExpression: 'at(2099-01-01T00:00:00)',
          FlexibleTimeWindow: { Mode: 'OFF' },
          Target: {
            Arn: 'arn:aws:sqs:us-east-1:000000000000:kept',
            RoleArn: 'arn:aws:iam::000000000000:role/r',
            Input: Name,
          },
        }),
      ),
    look: async (urls, Name) =>
      (await new scheduler.SchedulerClient(at(urls['schedules'])).send(new scheduler.GetScheduleCommand({ Name })))
        .Target?.Input,
    expected: (name) => name,
  },
  {
    engine: 'bus',
    make: (urls, DetailType) =>
      new eventbridge.EventBridgeClient(at(urls['bus'])).send(
        new eventbridge.PutEventsCommand({ Entries: [{ Source: 'test', DetailType, Detail: '{}' }] }),
      ),
    async look(_urls, _name, _made, folder) {
      const rows = openRows(join(folder, 'bus.sqlite'))
      const types = [...rows.map<string, typeof BusEvent>('events', BusEvent).values()].map(
        (event) => event['detail-type'],
      )
      rows.close()
      return types.at(-1)
    },
    expected: (name) => name,
  },
  {
    engine: 'secrets',
    make: (urls, Name) =>
      new secrets.SecretsManagerClient(at(urls['secrets'])).send(
        new secrets.CreateSecretCommand({ Name, SecretString: Name }),
      ),
    look: async (urls, SecretId) =>
      (
        await new secrets.SecretsManagerClient(at(urls['secrets'])).send(
          new secrets.GetSecretValueCommand({ SecretId }),
        )
      ).SecretString,
    expected: (name) => name,
  },
  {
    engine: 'keys',
    make: async (urls, name) =>
      (
        await new kms.KMSClient(at(urls['keys'])).send(
          new kms.EncryptCommand({ KeyId: 'alias/kept', Plaintext: Buffer.from(name) }),
        )
      ).CiphertextBlob,
    async look(urls, _name, made) {
      const command = new kms.DecryptCommand({ CiphertextBlob: made as Uint8Array })
      return Buffer.from((await new kms.KMSClient(at(urls['keys'])).send(command)).Plaintext ?? []).toString()
    },
    expected: (name) => name,
  },
  {
    engine: 'mail',
    make: (urls, Data) =>
      new ses.SESv2Client(at(urls['mail'])).send(
        new ses.SendEmailCommand({
          FromEmailAddress: 'from@example.com',
          Destination: { ToAddresses: ['to@example.com'] },
          Content: { Simple: { Subject: { Data }, Body: { Text: { Data } } } },
        }),
      ),
    look: async (_urls, _name, _made, folder) =>
      JSON.parse(readFileSync(join(folder, 'mail.json'), 'utf8')).at(-1).subject,
    expected: (name) => name,
  },
  {
    engine: 'buckets',
    make: (urls, name) =>
      new s3.S3Client({ ...at(urls['buckets']), forcePathStyle: true }).send(
        new s3.PutObjectCommand({ Bucket: 'files', Key: name, Body: name }),
      ),
    async look(urls, Key) {
      const client = new s3.S3Client({ ...at(urls['buckets']), forcePathStyle: true })
      return (await client.send(new s3.GetObjectCommand({ Bucket: 'files', Key }))).Body?.transformToString()
    },
    expected: (name) => name,
  },
]
