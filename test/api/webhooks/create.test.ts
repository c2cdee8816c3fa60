import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expectSound } from '../../journeys/invariants.ts'
import { type Kit, start } from '../../support/start.ts'
import { bodyOf, makeHook, removeHooks } from '../../webhooks/hooks.ts'
import { refusedAddresses } from './addresses.ts'
import { refusalOf } from './refusal.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
beforeEach(() => removeHooks(kit))
afterAll(() => kit.close())

test('creating an endpoint returns its secret; reading it does not', async () => {
  const body = bodyOf(kit, ' shop ', { events: ['post.published', 'post.cancelled', 'post.published'] })
  const { secret, ...hook } = await kit.sessionApi.webhooks.create({ body })
  const now = new Date(kit.clock.now()).toISOString()
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  expect(hook).toEqual({
    id: expect.stringMatching(/^whe_\w{20}$/),
    name: 'shop',
    url: body.url,
    events: ['post.published', 'post.cancelled'],
    enabled: true,
    includeChildWorkspaces: false,
    disabledReason: null,
    disabledAt: null,
    status: 'active',
    failingSince: null,
    nextProbeAt: null,
    secretHint: `whsec_…${secret.slice(-4)}`,
    createdAt: now,
    updatedAt: now,
  })
  expect(await kit.sessionApi.webhooks.get({ params: { id: hook.id } })).toEqual(hook)
  const off = await makeHook(kit, 'off', { enabled: false })
  expect(off.enabled).toBe(false)
  expect(off.secret).not.toBe(secret)
  expect((await kit.sessionApi.webhooks.list()).map(({ id }) => id)).toEqual([hook.id, off.id])
})

test('ten of twenty endpoints created concurrently succeed, and one more only after a deletion', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `hook-${n}`)
  const answers = await Promise.allSettled(names.map((name) => makeHook(kit, name)))
  const made = answers.filter(({ status }) => status === 'fulfilled')
  expect(made).toHaveLength(10)
  for (const answer of answers) {
    if (answer.status === 'rejected') {
      expect(answer.reason).toMatchObject({ status: 400, body: { code: 'webhook_endpoint_limit' } })
    }
  }
  const hooks = await kit.sessionApi.webhooks.list()
  expect(new Set(hooks.map(({ id }) => id)).size).toBe(10)
  await kit.sessionApi.webhooks.delete({ params: { id: hooks[3]?.id ?? '' } })
  await makeHook(kit, 'last')
  expect(await refusalOf(makeHook(kit, 'one too many'))).toMatchObject({ status: 400, code: 'webhook_endpoint_limit' })
  await expectSound(kit)
})

test.each(refusedAddresses)('rejects %s', async (url) => {
  const refusal = await refusalOf(makeHook(kit, 'hook', { url }))
  expect(refusal).toMatchObject({ status: 400, code: 'url_not_allowed', field: 'url' })
})

test('accepts addresses on the public internet', async () => {
  for (const url of ['https://hooks.example.com/a?b=c', 'https://example.com:8443/', 'https://93.184.215.14/hook']) {
    const { id } = await makeHook(kit, 'hook', { url })
    expect((await kit.sessionApi.webhooks.get({ params: { id } })).url).toBe(url)
  }
})

test('an address with white space around it is stored without it, by create and by update', async () => {
  const { id, url } = await makeHook(kit, 'pasted', { url: ' https://hooks.example.com/a\n' })
  expect(url).toBe('https://hooks.example.com/a')
  const moved = await kit.sessionApi.webhooks.update({
    params: { id },
    body: { url: '\thttps://hooks.example.com/b ' },
  })
  expect(moved.url).toBe('https://hooks.example.com/b')
  const refusal = await refusalOf(makeHook(kit, 'pasted', { url: 'https://hooks.example.com/{{token}}' }))
  expect(refusal).toMatchObject({
    code: 'url_not_allowed',
    error: expect.stringContaining('the placeholder {{token}}'),
  })
})

test.each([
  ['name', undefined],
  ['name', '  '],
  ['name', 'n'.repeat(81)],
  ['url', undefined],
  ['url', ''],
  ['url', `https://example.com/${'u'.repeat(2000)}`],
  ['events', undefined],
  ['events', []],
  ['events', 'post.published'],
  ['events.0', ['post.unknown']],
  ['events.1', ['post.published', '*']],
  ['enabled', 'yes'],
  ['secret', 'whsec_own'],
])('rejects %s %j by name', async (field, value) => {
  const [name = ''] = field.split('.')
  const body = { ...bodyOf(kit, 'hook'), [name]: value }
  expect(await refusalOf(kit.sessionApi.webhooks.create({ body }))).toMatchObject({ status: 400, field })
})

test('a repeated Idempotency-Key creates nothing and shows no secret', async () => {
  const create = (name: string) => kit.sessionApi.webhooks.create({ body: bodyOf(kit, name), idempotencyKey: 'once' })
  const { id } = await create('hook')
  const replay = await refusalOf(create('hook'))
  expect(replay).toMatchObject({ status: 409, code: 'secret_already_returned', id })
  expect(JSON.stringify(replay)).not.toContain('whsec_')
  expect(await refusalOf(create('other'))).toMatchObject({ status: 422, code: 'idempotency_key_reused' })
  expect(await kit.sessionApi.webhooks.list()).toHaveLength(1)
})

test('one of several concurrent requests with one Idempotency-Key creates the endpoint, even the last one allowed', async () => {
  for (let n = 0; n < 9; n += 1) await makeHook(kit, `hook-${n}`)
  const body = bodyOf(kit, 'last')
  const create = () => kit.sessionApi.webhooks.create({ body, idempotencyKey: 'at once' })
  const answers = await Promise.allSettled([create(), create(), create(), create()])
  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []))
  const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  expect([made.length, refused.length]).toEqual([1, 3])
  for (const error of refused) {
    expect(error).toMatchObject({ status: 409, body: { code: 'secret_already_returned', id: made[0] } })
  }
  expect(await kit.sessionApi.webhooks.list()).toHaveLength(10)
})
