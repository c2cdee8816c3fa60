import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import * as z from 'zod/mini'
import { platformIds } from '../../../shared/resources.ts'

/** Answers as DynamoDB and SQS do, and does nothing else: what is measured is the sweeper alone, in another process. */
const Input = z.object({
  Limit: z.optional(z.number()),
  ExpressionAttributeValues: z.optional(z.record(z.string(), z.object({ S: z.optional(z.string()) }))),
  ExclusiveStartKey: z.optional(z.object({ PK: z.object({ S: z.string() }) })),
  Entries: z.optional(z.array(z.object({ Id: z.string(), MessageBody: z.string() }))),
})
type Input = z.infer<typeof Input>

const rowsPerShard = Number(process.argv[2])
const platforms = platformIds.slice(0, 8)

const row = (shard: string, n: number) => ({
  PK: { S: `WS#01JD000000000000000000WS${shard}${n % 50}#POST` },
  SK: { S: `01JD0000000000000000000000${n}` },
  type: { S: 'Post' },
  sweepShard: { S: shard },
  sweepAtMs: { N: String(1_700_000_000_000 + n) },
  sweepCount: { N: '0' },
  workspaceId: { S: `01JD000000000000000000WS${n % 50}` },
  id: { S: `01JD0000000000000000000000${n}` },
  platform: { S: platforms[n % platforms.length] ?? 'x' },
  socialAccountId: { S: `01JD00000000000000000000AC${n % 50}` },
  scheduledAtMs: { N: '1700000000000' },
  version: { N: '1' },
})

const given = new Map<string, number>()

const query = ({ Limit = 500, ExpressionAttributeValues = {} }: Input) => {
  const shard = Object.values(ExpressionAttributeValues).find(({ S }) => S?.startsWith('SWEEP#'))?.S ?? ''
  const from = given.get(shard) ?? 0
  const to = Math.min(rowsPerShard, from + Limit)
  given.set(shard, to)
  const Items = Array.from({ length: to - from }, (_, n) => row(shard, from + n))
  const { PK, SK, sweepShard, sweepAtMs } = Items.at(-1) ?? row(shard, to)
  return {
    Items,
    Count: Items.length,
    ...(to < rowsPerShard ? { LastEvaluatedKey: { PK, SK, sweepShard, sweepAtMs } } : {}),
  }
}

const sendBatch = ({ Entries = [] }: Input) => ({
  Successful: Entries.map(({ Id, MessageBody }) => ({
    Id,
    MessageId: Id,
    MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
  })),
})

const answers: Readonly<Record<string, (input: Input) => object>> = {
  Query: query,
  UpdateItem: () => ({}),
  SendMessageBatch: sendBatch,
  GetQueueAttributes: () => ({ Attributes: { ApproximateNumberOfMessages: '0' } }),
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
  const answer = answers[operation]
  if (answer === undefined) throw new Error(`the sweeper calls ${operation}, which this program does not know`)
  response.setHeader('Content-Type', 'application/x-amz-json-1.0')
  response.end(JSON.stringify(answer(z.parse(Input, JSON.parse(Buffer.concat(chunks).toString())))))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.(address.port)
})
