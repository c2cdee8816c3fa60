import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handler as cancelHandler } from '../../functions/api/posts/cancel.ts'
import { ApiError } from '../../functions/client.ts'
import type { PostView } from '../../shared/posts/reading/view.ts'
import { dayMs } from '../../shared/time.ts'
import { cancelWith, type Fault, refuse, type TableCall } from '../support/table-wire.ts'
import { everyNth } from '../support/thin.ts'
import { startWired, type WiredKit } from '../support/wired.ts'
import { scheduleOn } from './author.ts'
import { expectSound } from './invariants.ts'

let kit: WiredKit

beforeAll(async () => {
  kit = await startWired()
})
afterAll(() => kit.close())

const at = (inMs: number) => new Date(kit.clock.now() + inMs).toISOString()

/** Once all messages are handled, every invariant of the rows holds. */
const expectCalm = async () => {
  // What was left to the sweeper is found within a minute.
  await kit.service.pass(120_000)
  await expectSound(kit)
}

const rescheduledTo = '2030-06-01T12:00:00.000Z'

/** What an author does to a post that exists. */
const changes = {
  cancel: (id: string) => kit.api.posts.cancel({ params: { id } }),
  reschedule: (id: string) => kit.api.posts.reschedule({ params: { id }, body: { scheduledAt: rescheduledTo } }),
  delete: (id: string) => kit.api.posts.delete({ params: { id } }),
  schedule: () => scheduleOn(kit, 'bluesky', 'scheduled in trouble', dayMs),
} as const
const changeNames = ['cancel', 'reschedule', 'delete', 'schedule'] as const

const answerOf = (call: Promise<unknown>) =>
  call.then(
    () => ({ status: 200, code: undefined, retryAfter: null, error: '' }),
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      const { status, body, headers } = error
      return { status, code: body['code'], retryAfter: headers.get('Retry-After'), error: String(body['error']) }
    },
  )

const read = (id: string): Promise<PostView | undefined> =>
  kit.api.posts.get({ params: { id } }).then(
    (post) => post,
    () => undefined,
  )

const isWrite = ({ action }: TableCall) => action === 'TransactWriteItems'
const during = async <T>(fault: (call: TableCall) => Fault | undefined, run: () => Promise<T>) => {
  kit.wire.breakBy(fault)
  return run().finally(kit.wire.mend)
}

const troubles = [
  ['conflicts', cancelWith('TransactionConflict')],
  ['throttled items', cancelWith('ThrottlingError')],
  ['exceeded throughput of an item', cancelWith('ProvisionedThroughputExceeded')],
  ['ThrottlingException', () => refuse('ThrottlingException')],
  ['ProvisionedThroughputExceededException', () => refuse('ProvisionedThroughputExceededException')],
  ['RequestLimitExceeded', () => refuse('RequestLimitExceeded')],
] as const

describe.each(everyNth(2, troubles))('%s that outlast all retries', (_name, fault) => {
  test.each(changeNames)('%s: 503 with Retry-After that says nothing was changed, and nothing was', async (name) => {
    const { id } = await scheduleOn(kit, 'bluesky', 'calm', dayMs)
    const before = await read(id)
    const { total } = await kit.api.posts.list({ query: { limit: 1 } })
    const answer = await during(
      (call) => (isWrite(call) ? fault(call) : undefined),
      () => answerOf(changes[name](id)),
    )
    expect(answer).toMatchObject({ status: 503, code: 'unavailable', retryAfter: expect.stringMatching(/^\d+$/) })
    expect(answer.error).toContain('Nothing was changed')
    expect(await read(id)).toEqual(before)
    expect((await kit.api.posts.list({ query: { limit: 1 } })).total).toBe(total)
    expect((await answerOf(changes[name](id))).status).toBe(200)
  })
})

test.each(changeNames)('%s with one lost response are reported as done, and done once', async (name) => {
  for (const kind of ['lose', 'fail'] as const) {
    const { id } = await scheduleOn(kit, 'bluesky', 'lost once', dayMs)
    let faults = 0
    const answer = await during(
      (call) => (isWrite(call) && faults++ === 0 ? { kind } : undefined),
      () => answerOf(changes[name](id)),
    )
    expect({ kind, answer: answer.status }).toEqual({ kind, answer: 200 })
  }
  await expectCalm()
})

test.each(
  changeNames,
)('%s with all responses lost: 503 that says the change may have been made and how to check', async (name) => {
  for (const kind of ['lose', 'fail', 'cut'] as const) {
    const { id } = await scheduleOn(kit, 'bluesky', 'lost for good', dayMs)
    const answer = await during(
      (call) => (isWrite(call) ? { kind } : undefined),
      () => answerOf(changes[name](id)),
    )
    expect(answer).toMatchObject({ status: 503, code: 'outcome_unknown', retryAfter: expect.stringMatching(/^\d+$/) })
    expect(answer.error).toContain('may have been carried out')
    expect(answer.error).toContain(name === 'schedule' ? 'GET /api/posts' : `GET /api/posts/${id}`)
  }
  await expectCalm()
})

test('a schedule request with all responses lost is repeated with its Idempotency-Key and exists once', async () => {
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'only once in trouble', scheduledAt: at(dayMs) }
  const schedule = () => kit.api.posts.schedule({ body, idempotencyKey: 'in trouble' })
  const lost = await during(
    (call) => (isWrite(call) ? { kind: 'lose' } : undefined),
    () => answerOf(schedule()),
  )
  // The record of the key shows what happened while the answer of the transaction did not.
  expect(lost.status).toBe(200)
  const again = await schedule()
  const { items } = await kit.api.posts.list({ query: { limit: 200 } })
  expect(items.filter(({ content }) => content === 'only once in trouble').map(({ id }) => id)).toEqual(
    again.map(({ id }) => id),
  )
})

test('a cancel whose function runs out of time says that it may have been carried out', async () => {
  const { id } = await scheduleOn(kit, 'bluesky', 'out of time', dayMs)
  const event = {
    httpMethod: 'POST',
    path: `/api/posts/${id}/cancel`,
    headers: { Authorization: `Bearer ${kit.pat}`, 'X-Workspace-Id': kit.workspaceId },
    pathParameters: { id },
    queryStringParameters: null,
    body: null,
    isBase64Encoded: false,
    requestContext: { extendedRequestId: 'JZ3a2E5jIAMFYXA=', identity: { sourceIp: '127.0.0.1' } },
  }
  const cancel = cancelHandler.withContext(kit.service.contextOf('posts-cancel')) as unknown as (
    sent: typeof event,
    lambda: { getRemainingTimeInMillis(): number },
  ) => Promise<{ statusCode: number; headers: Record<string, string>; body: string }>
  const call = () => cancel(event, { getRemainingTimeInMillis: () => 2_500 })
  const slowRead = await during(({ action }) => (action === 'BatchGetItem' ? { kind: 'hang' } : undefined), call)
  expect(slowRead).toMatchObject({ statusCode: 503, body: expect.stringContaining('Nothing was changed') })
  const slowWrite = await during((effect) => (isWrite(effect) ? { kind: 'hang' } : undefined), call)
  expect(slowWrite).toMatchObject({ statusCode: 503, headers: { 'Retry-After': '5' } })
  expect(JSON.parse(slowWrite.body)).toMatchObject({ code: 'outcome_unknown' })
  // The SDK repeats the call that did not respond: this is the change that "may have been carried out".
  await expect.poll(() => read(id).then((post) => post?.status), { timeout: 40_000 }).toBe('cancelled')
})

test('thirty authors with a table that fails one request in four: no response is 500, and none denies a change that was made', async () => {
  const faults: readonly ((call: TableCall) => Fault)[] = [
    cancelWith('TransactionConflict'),
    cancelWith('ThrottlingError'),
    () => refuse('ThrottlingException'),
    () => refuse('InternalServerError', 500),
    () => ({ kind: 'cut' }),
    () => ({ kind: 'lose' }),
    () => ({ kind: 'fail' }),
  ]
  let seed = 12
  // A small generator of fixed order (Numerical Recipes, 7.1), so that a failure can be repeated.
  const random = (below: number) => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((seed / 2 ** 32) * below)
  }
  const posts = await Promise.all(
    Array.from({ length: 30 }, (_, n) => scheduleOn(kit, 'bluesky', `author ${n}`, dayMs)),
  )
  const trouble = (call: TableCall) => {
    if (random(4) > 0) return undefined
    const fault = faults[random(faults.length)]?.(call)
    const isTransaction = fault?.kind !== 'refuse' || !('CancellationReasons' in fault.body) || isWrite(call)
    return isTransaction ? fault : undefined
  }
  const author = async ({ id }: { id: string }, n: number) => {
    const name = changeNames[n % 3] ?? 'cancel'
    return {
      id,
      name,
      answer: await answerOf(changes[name](id)),
      reading: await answerOf(kit.api.posts.get({ params: { id } })),
    }
  }
  const answers = await during(trouble, () => Promise.all(posts.map(author)))
  for (const { id, name, answer, reading } of answers) {
    const why = JSON.stringify({ id, name, answer, reading })
    expect([200, 503], why).toContain(answer.status)
    expect([200, 404, 503], why).toContain(reading.status)
    const now = await read(id)
    const done =
      now === undefined
        ? 'delete'
        : now.status === 'cancelled'
          ? 'cancel'
          : now.scheduledAt === rescheduledTo
            ? 'reschedule'
            : 'nothing'
    if (answer.status === 200) expect(done, why).toBe(name)
    if (answer.code === 'unavailable') expect(done, why).toBe('nothing')
    if (answer.status === 503) expect(['unavailable', 'outcome_unknown'], why).toContain(answer.code)
  }
  await expectCalm()
})
