import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { workerTable } from '../../functions/routes.ts'
import { type Kit, start } from '../support/start.ts'

/**
 * The messages of the last release, one of each form, as they lay in the queues while the journey of test/support/world was walked. A
 * release that sends another form adds it here. A new field is optional for one release, because messages of the one before
 * wait in the queues for up to 14 days, and a schedule for months.
 */
const Released = z.array(z.object({ queue: z.string(), body: z.record(z.string(), z.unknown()) }))
const released = z.parse(
  Released,
  JSON.parse(readFileSync(join(import.meta.dirname, 'released-messages.json'), 'utf8')),
)

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** Gives messages to the worker of their queue in one batch; returns the numbers of those that come again. */
const handle = async (queue: string, bodies: readonly object[]): Promise<number[]> => {
  const entry = workerTable.find(
    ({ worker: { definition } }) => 'queues' in definition && definition.queues.some((name) => name === queue),
  )
  if (entry === undefined || !('queues' in entry.worker.definition)) throw new Error(`no worker takes ${queue}`)
  const Records = bodies.map((body, n) => ({ messageId: String(n), body: JSON.stringify(body) }) as SQSRecord)
  const run = entry.worker.withContext(kit.service.contextOf(entry.name)) as (event: SQSEvent) => Promise<{
    batchItemFailures: { itemIdentifier: string }[]
  }>
  const { batchItemFailures } = await run({ Records })
  return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier))
}

const formOf = (body: object) => Object.keys(body).sort()

const named = released.map(({ queue, body }) => [`${queue} with ${Object.keys(body).join(', ')}`, queue, body] as const)

test('a form of message is recorded for every queue', () => {
  const queues = workerTable.flatMap(({ worker: { definition } }) => ('queues' in definition ? definition.queues : []))
  const recorded = new Set(released.map(({ queue }) => queue))
  // The queues of the platforms have one form.
  expect(queues.filter((queue) => !recorded.has(queue) && !queue.startsWith('publish-'))).toEqual([])
})

test.each(named)('a message of the last release is taken: %s', async (_, queue, body) => {
  expect(await handle(queue, [body, { ...body, correlationId: 'Xq3vVg9hoAMFZ3M=' }])).toEqual([])
})

test.each(named)('a field that the next release adds is left alone: %s', async (_, queue, body) => {
  expect(await handle(queue, [{ ...body, addedLater: { of: ['any', 'form'] } }])).toEqual([])
})

test.each(named)('a message without one of its fields is redelivered, and no other: %s', async (_, queue, body) => {
  for (const name of Object.keys(body)) {
    const { [name]: _without, ...rest } = body
    // Without its collection, a purge is one of a workspace, which does nothing unless that is being deleted.
    const isOther = released.some(
      (message) => message.queue === queue && String(formOf(message.body)) === String(formOf(rest)),
    )
    expect(await handle(queue, [body, { ...rest, renamed: true }, body])).toEqual(isOther ? [] : [1])
  }
})

test('a platform of the next release comes again, until this release is gone', async () => {
  const publish = released.find(({ queue }) => queue === 'publish-x')
  expect(await handle('publish-x', [{ ...publish?.body, platform: 'tumblr' }])).toEqual([0])
})
