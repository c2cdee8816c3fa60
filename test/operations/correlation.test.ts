import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { equal } from '../../shared/db/expression.ts'
import { keyOf, query, updateOnly } from '../../shared/db/table.ts'
import { outbox } from '../../shared/events/outbox.ts'
import { minuteMs } from '../../shared/time.ts'
import { eventsOf, listen } from '../journeys/author.ts'
import { type Kit, start } from '../support/start.ts'

const header = 'x-correlation-id'

const Line = z.object({ message: z.string(), correlationId: z.optional(z.string()), source: z.optional(z.string()) })
const linesOf = (kit: Kit, message: string) =>
  kit.logged.map((text) => z.parse(Line, JSON.parse(text))).filter((line) => line.message === message)

/** Schedules a post by a call of the API; returns the id of the call, and of the post. */
const schedule = async (kit: Kit, inMs: number, headers: Record<string, string> = {}) => {
  const scheduledAt = new Date(kit.clock.now() + inMs).toISOString()
  const body = { socialAccountIds: [kit.accounts.bluesky], content: 'Hello', scheduledAt }
  const response = await kit.api.$raw('POST', '/api/posts/schedule', {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
  const { data } = z.parse(z.object({ data: z.tuple([z.object({ id: z.string() })]) }), await response.json())
  return { requestId: response.headers.get('X-Request-Id'), postId: data[0].id }
}

/** The header of each event about a post, by the type of the event. */
const headersOf = (kit: Kit, postId: string) =>
  Object.fromEntries(
    eventsOf(kit, postId).map(({ id, type }) => [
      type,
      kit.inbox.deliveries().find(({ headers }) => headers['webhook-id'] === id)?.headers[header],
    ]),
  )

test('every worker that serves a call logs its id, and each webhook has it', async () => {
  const failedOnce = new Set<string>()
  const kit = await start({
    observe: (effect, run) => {
      // The first read of each worker fails: its message is logged, and comes again. The publisher's has the id from prepare-post.
      const { functionName, service } = effect
      const isWorker = ['publish-post', 'relay-events', 'deliver-webhook'].includes(functionName)
      if (!isWorker || service !== 'dynamodb' || failedOnce.has(functionName)) return run()
      failedOnce.add(functionName)
      throw new Error('no answer')
    },
  })
  await listen(kit)
  const { requestId, postId } = await schedule(kit, 20 * minuteMs)
  await kit.service.pass(30 * minuteMs)
  expect(requestId).toMatch(/^[\w-]{15}=$/)
  expect(headersOf(kit, postId)).toEqual({ 'post.scheduled': requestId, 'post.published': requestId })
  const failed = linesOf(kit, 'message failed')
  const queues = failed.map(({ source = '' }) => source.replace(/.*social-\w+-/, ''))
  expect(queues.sort()).toEqual(['deliver', 'events', 'publish-bluesky'])
  const lines = [...failed, ...linesOf(kit, 'attempt ended'), ...linesOf(kit, 'webhook attempt ended')]
  expect(lines.map(({ correlationId }) => correlationId)).toEqual(Array(3 + 1 + 2).fill(requestId))
})

test('the rows know the call when its messages are lost, and an id of the caller is never taken', async () => {
  const kit = await start({
    observe: ({ functionName, service }, run) => {
      if (functionName === 'relay-events' && service === 'sqs') throw new Error('no answer')
      return run()
    },
  })
  await listen(kit)
  kit.service.schedules.faults.onFire = () => 'lose'
  kit.service.queues.faults.onSend = ({ queueName }) => (/events|publish-bluesky/.test(queueName) ? 'lose' : 'keep')
  const { requestId, postId } = await schedule(kit, 20 * minuteMs, { 'X-Request-Id': 'mine' })
  await kit.service.pass(21 * minuteMs)
  kit.service.queues.faults.onSend = () => 'keep'
  await kit.service.pass(15 * minuteMs)
  const [attempt, ...others] = linesOf(kit, 'attempt ended')
  expect([requestId, others]).toEqual(['mine', []])
  const correlationId = attempt?.correlationId
  expect(correlationId).toMatch(/^[\w-]{15}=$/)
  const left = linesOf(kit, 'work left to the sweeper')
  expect(left.map((line) => line.correlationId)).toEqual([correlationId, correlationId, correlationId])
  expect(headersOf(kit, postId)).toEqual({ 'post.scheduled': correlationId, 'post.published': correlationId })
})

test('a row and messages of an earlier release, which have no id, are worked on', async () => {
  const kit = await start()
  await listen(kit)
  kit.service.schedules.faults.onFire = () => 'lose'
  const { postId } = await schedule(kit, 20 * minuteMs)
  const { items } = await query(kit.ctx, { key: equal('PK', outbox.key({ workspaceId: kit.workspaceId, id: '' }).PK) })
  for (const item of items) await updateOnly(kit.ctx, keyOf(item), { remove: ['correlationId'] })
  await kit.service.pass(30 * minuteMs)
  expect(linesOf(kit, 'attempt ended')).toEqual([{ message: 'attempt ended' }])
  expect(headersOf(kit, postId)).toMatchObject({ 'post.published': undefined })
})
