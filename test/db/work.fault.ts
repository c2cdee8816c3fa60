import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Context } from '../../shared/context.ts'
import { wasCurrent } from '../../shared/db/condition-failed.ts'
import { entity } from '../../shared/db/entity.ts'
import { absent, equal } from '../../shared/db/expression.ts'
import { type Claimed, LeaseLost, leaseMsOf, revokedLease, workFields } from '../../shared/db/lease.ts'
import { get, put, queryAll, transact, updateOnly } from '../../shared/db/table.ts'
import { work } from '../../shared/db/work.ts'
import { crashAfter } from '../support/crash-after.ts'
import { type Kit, start } from '../support/start.ts'

const errands = entity({
  type: 'Errand',
  shape: z.object({ id: z.string(), status: z.enum(['open', 'done']), steps: z.int(), ...workFields }),
  key: ({ id }: { id: string }) => ({ PK: `ERRAND#${id}`, SK: 'ERRAND' }),
})
type Errand = NonNullable<Awaited<ReturnType<typeof errands.get>>>

const timeoutSeconds = 30
const errandWork = work({
  entity: errands,
  queue: 'replay',
  timeoutSeconds,
  open: equal('status', 'open'),
  ref: z.object({ id: z.string() }),
  message: ({ id }) => ({ body: { id }, group: id }),
})

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())
beforeEach(() => {
  // No worker knows these messages.
  kit.service.queues.faults.onSend = () => 'lose'
})

const steps = 3
const product = (id: string, name: string) => ({ PK: `PRODUCT#${id}`, SK: name })

/** Makes one product in each step, and one more in the transaction that ends the work. */
const takeStep = async (ctx: Context, id: string): Promise<void> => {
  const claim = await errandWork.claim(ctx, { id })
  if (claim === undefined) return
  if (claim.steps < steps) {
    await wasCurrent(put(ctx, product(id, `step ${claim.steps + 1}`), absent('PK')))
    const saved = await errandWork.save(ctx, claim, { add: { steps: 1 } })
    await errandWork.continueAt(ctx, saved, ctx.clock.now() + 1_000)
    return
  }
  const end = errandWork.endWrite(claim, { set: { status: 'done' } })
  await wasCurrent(transact(ctx, () => [end, { put: product(id, 'end'), when: absent('PK') }]))
}

let count = 0
const begin = async (): Promise<string> => {
  count += 1
  const id = `errand-${count}`
  await transact(kit.ctx, () => [errandWork.beginWrite({ id, status: 'open', steps: 0 }, kit.clock.now())])
  return id
}

const rowOf = async (id: string) => get(kit.ctx, errands.key({ id }))
const productsOf = async (id: string) =>
  (await queryAll(kit.ctx, { key: equal('PK', product(id, '').PK) })).map(({ SK }) => SK)

/** Sends what the sweeper sends, at its time, until the work has ended. */
const sweep = async (id: string, step: (id: string) => Promise<unknown>) => {
  for (let n = 0; n < 10; n += 1) {
    const item = await rowOf(id)
    if (item?.['sweepAtMs'] === undefined) return
    kit.clock.pass(Math.max(0, Number(item['sweepAtMs']) - kit.clock.now()))
    expect(errandWork.sweepRule.messageFor(item, kit.clock.now())).toEqual({ queue: 'replay', body: { id }, group: id })
    await step(id)
  }
}

test('work whose worker dies after any effect is resumed by the sweeper and done once', async () => {
  const run = crashAfter(kit.ctx, takeStep)
  const sample = await begin()
  const effects: string[] = []
  await sweep(sample, async (id) => effects.push(...(await run(id))))
  expect(effects.length).toBeGreaterThan(steps * 3)
  const perStep = effects.indexOf('UpdateItem', 1) + 2
  for (let atStep = 0; atStep <= steps; atStep += 1) {
    for (let n = 0; n < perStep; n += 1) {
      const id = await begin()
      let left = atStep
      await sweep(id, async () => {
        const isLast = left === 0
        left -= 1
        await (isLast ? run(id, n).catch(() => undefined) : run(id))
      })
      expect({ atStep, n, products: await productsOf(id) }).toEqual({
        atStep,
        n,
        products: ['end', 'step 1', 'step 2', 'step 3'],
      })
      expect(await rowOf(id)).toMatchObject({ status: 'done', steps })
      for (const name of ['leaseUntilMs', 'sweepAtMs', 'sweepShard', 'sweepCount']) {
        expect((await rowOf(id))?.[name], name).toBeUndefined()
      }
    }
  }
})

const claimed = async (id: string): Promise<Claimed<Errand>> => {
  const claim = await errandWork.claim(kit.ctx, { id })
  if (claim === undefined) throw new Error('the row is free')
  return claim
}

test('a row has one holder at a time, and the next one only when the lease has outlived the function', async () => {
  const id = await begin()
  const first = await claimed(id)
  expect(first.leaseUntilMs).toBe(kit.clock.now() + leaseMsOf(timeoutSeconds))
  kit.clock.pass(timeoutSeconds * 1000)
  expect(await errandWork.claim(kit.ctx, { id })).toBeUndefined()
  kit.clock.pass(leaseMsOf(timeoutSeconds) - timeoutSeconds * 1000)
  const second = await claimed(id)
  expect(second.leaseToken).toBe(first.leaseToken + 1)
})

test('a holder that lost its lease can write nothing', async () => {
  const id = await begin()
  const late = await claimed(id)
  kit.clock.pass(leaseMsOf(timeoutSeconds))
  const current = await claimed(id)
  const before = await rowOf(id)
  await expect(errandWork.save(kit.ctx, late, { add: { steps: 1 } })).rejects.toThrow(LeaseLost)
  expect(await errandWork.continueAt(kit.ctx, late, kit.clock.now(), { add: { steps: 1 } })).toBe(false)
  expect(await errandWork.end(kit.ctx, late)).toBe(false)
  expect(await rowOf(id)).toEqual(before)
  expect(await errandWork.end(kit.ctx, current, { set: { status: 'done' } })).toBe(true)
  expect(await errandWork.claim(kit.ctx, { id }), 'work that has ended').toBeUndefined()
})

test('a change that revokes the lease ends the step, and the next one can begin immediately', async () => {
  const id = await begin()
  const claim = await claimed(id)
  await updateOnly(kit.ctx, errands.key({ id }), revokedLease)
  expect(await errandWork.continueAt(kit.ctx, claim, kit.clock.now())).toBe(false)
  expect(await errandWork.claim(kit.ctx, { id })).toMatchObject({ id, leaseToken: claim.leaseToken + 2 })
})

test('a step that is not due is not claimed, whoever sends its message', async () => {
  const id = await begin()
  await errandWork.continueAt(kit.ctx, await claimed(id), kit.clock.now() + 5_000)
  kit.clock.pass(4_000)
  expect(await errandWork.claim(kit.ctx, { id })).toBeUndefined()
  kit.clock.pass(1_000)
  expect(await errandWork.claim(kit.ctx, { id })).toMatchObject({ id })
})

test('a queue that cannot be reached leaves a step to the sweeper, and one that is far off has no message', async () => {
  const sent: string[] = []
  kit.service.queues.faults.onSend = ({ queueName }) => {
    sent.push(queueName)
    throw new Error('the queue is down')
  }
  const id = await begin()
  const soonMs = kit.clock.now() + 900_000
  expect(await errandWork.continueAt(kit.ctx, await claimed(id), soonMs)).toBe(true)
  expect(sent.length).toBeGreaterThan(0)
  expect(await rowOf(id)).toMatchObject({ dueAtMs: soonMs, sweepAtMs: soonMs + 60_000 })
  sent.length = 0
  kit.clock.pass(900_000)
  const laterMs = kit.clock.now() + 900_001
  expect(await errandWork.continueAt(kit.ctx, await claimed(id), laterMs)).toBe(true)
  expect(sent).toEqual([])
  expect(await rowOf(id)).toMatchObject({ dueAtMs: laterMs, sweepAtMs: laterMs })
})

test('a claim keeps an entry in the sweep index that is earlier, if it knows of it', async () => {
  const id = await begin()
  const sweepAtMs = Number((await rowOf(id))?.['sweepAtMs'])
  await updateOnly(kit.ctx, errands.key({ id }), { set: { sweepAtMs: sweepAtMs - 30_000 } })
  await errandWork.claim(kit.ctx, { id, sweepAtMs: sweepAtMs - 30_000 })
  expect(await rowOf(id)).toMatchObject({ sweepAtMs: sweepAtMs - 30_000 })
})
