import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSession } from '../../../shared/identity/open-session.ts'
import { dayMs } from '../../../shared/time.ts'
import { type Kit, start } from '../../support/start.ts'
import { emit, makeHook, removeHooks } from '../../webhooks/hooks.ts'
import { layEvents } from '../../webhooks/replays.ts'
import { refusalOf } from './refusal.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
beforeEach(() => removeHooks(kit))
afterAll(() => kit.close())

const at = (ms: number) => new Date(kit.clock.now() + ms).toISOString()
type Body = Parameters<Kit['sessionApi']['webhooks']['replay']>[0]['body']
const replay = (id: string, body: Partial<Body> = {}, idempotencyKey?: string) =>
  kit.sessionApi.webhooks.replay({
    params: { id },
    body: { since: at(-1000), ...body },
    ...(idempotencyKey ? { idempotencyKey } : {}),
  })

test.each([
  ['since', { since: '2030-01-01' }],
  ['since', { since: undefined }],
  ['since', { since: 'now' }],
  ['until', { until: 'now' }],
  ['scope', { scope: 'pending' }],
  ['eventTypes', { eventTypes: [] }],
  ['eventTypes.0', { eventTypes: ['post.unknown'] }],
  ['from', { from: 1 }],
])('rejects a wrong %s by name: %j', async (field, body) => {
  const { id } = await makeHook(kit, 'hook')
  // Wrong on purpose.
  expect(await refusalOf(replay(id, body as Partial<Body>))).toMatchObject({ status: 400, field })
})

test('the time range must lie in the past, start before it ends, and stay within retention', async () => {
  const { id } = await makeHook(kit, 'hook')
  const minute = 60_000
  for (const [field, body] of [
    ['since', { since: at(1) }],
    ['since', { since: at(-30 * dayMs - 6 * minute) }],
    ['since', { since: '0001-01-01T00:00:00Z' }],
    ['until', { until: at(1) }],
    ['until', { since: at(-5), until: at(-6) }],
  ] as const) {
    expect(await refusalOf(replay(id, body))).toMatchObject({ status: 400, code: 'invalid_input', field })
  }
  // A request for all retained events always starts a little late.
  expect(await replay(id, { since: at(-30 * dayMs - minute) })).toMatchObject({ status: 'running' })
})

test('an endpoint runs one replay at a time; other endpoints are not affected', async () => {
  const [{ id }, other] = [await makeHook(kit, 'hook'), await makeHook(kit, 'other')]
  const answers = await Promise.allSettled([replay(id), replay(id), replay(id)])
  const taken = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  expect(taken).toHaveLength(1)
  expect(await refusalOf(replay(id))).toMatchObject({
    status: 409,
    code: 'replay_in_progress',
    replayId: taken[0]?.replayId,
  })
  await replay(other.id)
  await kit.service.drain()
  expect(await replay(id)).toMatchObject({ status: 'running' })
})

test('with an Idempotency-Key, a repeated request starts nothing and returns the first response', async () => {
  const { id } = await makeHook(kit, 'hook')
  const body = { since: at(-5) }
  const [first, second] = await Promise.all([replay(id, body, 'key'), replay(id, body, 'key')])
  expect(second).toEqual(first)
  await kit.service.drain()
  expect(await replay(id, body, 'key')).toEqual(first)
  expect(await refusalOf(replay(id, { since: at(-6) }, 'key'))).toMatchObject({ status: 422 })
})

test('rejects a replay to a disabled or deleted endpoint', async () => {
  const { id } = await makeHook(kit, 'hook', { enabled: false })
  expect(await refusalOf(replay(id))).toMatchObject({ status: 409, code: 'webhook_endpoint_disabled' })
  await kit.sessionApi.webhooks.delete({ params: { id } })
  for (const gone of [id, 'whe_none']) {
    expect(await refusalOf(replay(gone))).toMatchObject({ status: 404, field: 'id' })
  }
})

test('a replay is visible for thirty days after its end, only to its workspace', async () => {
  const { id } = await makeHook(kit, 'hook')
  await layEvents(kit, 1)
  await emit(kit)
  const { replayId } = await replay(id, { since: at(-5000) })
  const get = (of: string, token = kit.sessionToken) =>
    kit.sessionApi.webhooks.getReplay({ params: { replayId: of }, token })
  await kit.service.drain()
  expect(await get(replayId)).toMatchObject({ status: 'completed', endpointId: id })
  expect(await refusalOf(get('rpl_none'))).toMatchObject({ status: 404, field: 'replayId' })
  const { user, ctx } = kit
  const after = async (ms: number) => {
    kit.clock.pass(ms)
    // Sessions live no longer than rows do.
    const person = { userId: user.id, email: user.email, name: user.name, userAgent: 'test' }
    return get(replayId, (await openSession(ctx, person)).token)
  }
  expect(await after(30 * dayMs - 20_000)).toMatchObject({ replayId })
  expect(await refusalOf(after(30_000))).toMatchObject({ status: 404, field: 'replayId' })
})
