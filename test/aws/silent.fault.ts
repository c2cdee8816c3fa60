import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setProcessEnvironment } from '../../infra/local/service/environment.ts'
import { putEvents } from '../../shared/aws/bus.ts'
import { sendEmail } from '../../shared/aws/email.ts'
import { newDataKey } from '../../shared/aws/keys.ts'
import { send } from '../../shared/aws/queue.ts'
import { createSchedule } from '../../shared/aws/schedule.ts'
import { readSecret } from '../../shared/aws/secret.ts'
import { type Context, makeContext } from '../../shared/context.ts'

/** Takes connections, and never answers. */
const silent = createServer((socket) => void sockets.add(socket.on('error', () => {})))
const sockets = new Set<Socket>()
let restore: () => void
let ctx: Context

beforeAll(async () => {
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  restore = setProcessEnvironment({
    AWS_ENDPOINT_URL: url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'example',
  })
  ctx = makeContext({
    DATA_KEY_ID: 'key',
    EVENT_BUS_NAME: 'bus',
    MAIL_FROM: 'service@example.com',
    METRICS: '{"namespace":"Social/test","byPlatform":false}',
    QUEUE_URL_PREFIX: `${url}/000000000000/`,
    SCHEDULE_GROUP: 'group',
    SCHEDULE_ROLE_ARN: 'arn:aws:iam::111122223333:role/schedules',
  })
})
afterAll(() => {
  restore()
  for (const socket of sockets) socket.destroy()
  silent.close()
})

const calls: Readonly<Record<string, (ctx: Context) => Promise<unknown>>> = {
  EventBridge: (ctx) => putEvents(ctx, [{ detailType: 'post.published', detail: '{}', atMs: 0 }]),
  KMS: (ctx) => newDataKey(ctx, 'ws_1'),
  SES: (ctx) => sendEmail(ctx, { to: 'ada@example.com', subject: 'Hello', text: 'Hello' }),
  SQS: (ctx) => send(ctx, 'events', { body: {}, group: 'ws_1' }),
  Scheduler: (ctx) => createSchedule(ctx, { name: 'schedule', atMs: 4e12, body: {}, group: 'ws_1' }),
  'Secrets Manager': (ctx) => readSecret(ctx, 'secret'),
}

/** An endpoint has 28 s, a worker 60 s. */
const longestMs = 25_000

// Concurrently: each waits for its own timeouts.
test.concurrent.each(
  Object.entries(calls),
)('a call to %s without a response times out while the function still has time', async (_name, call) => {
  const startedMs = Date.now()
  await expect(call(ctx)).rejects.toThrow(/timeout|timed out|did not (?:send|respond|receive)|exceeded/i)
  expect(Date.now() - startedMs).toBeLessThan(longestMs)
})
