import { assert, type Check, same, thrownBy } from './check.ts'

const failing = (status: number, code: string, headers: Record<string, string> = {}) =>
  ({
    kind: 'answer',
    status,
    headers,
    body: JSON.stringify({ success: false, error: 'A sentence.', code, requestId: 'req_1' }),
  }) as const

/** A draft whose text is unique, so that its copies can be counted. */
const unique = () => `fault ${Math.random()}`

export const faults: Record<string, Check> = {
  'a 429 is repeated after Retry-After, and not before': async ({ client, arrange, seen }) => {
    await arrange(failing(429, 'rate_limited', { 'Retry-After': '1' }))
    const { attempts } = await client.posts.list().withResponse()
    const [first, second] = await seen()
    same(attempts, 2)
    assert((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 990, 'a second has passed')
  },

  'a Retry-After that is too long is thrown': async ({ client, arrange, seen }) => {
    await arrange(failing(429, 'rate_limited', { 'Retry-After': '3600' }))
    const error = await thrownBy(client.posts.list())
    same([error['code'], error['retryAfterMs'], (await seen()).length], ['rate_limited', 3_600_000, 1])
  },

  'a 429 that no wait lifts is thrown': async ({ client, arrange, seen }) => {
    await arrange(failing(429, 'x_cap_exceeded'))
    same((await thrownBy(client.posts.list()))['code'], 'x_cap_exceeded')
    same((await seen()).length, 1)
  },

  '500, 502 with HTML, 503, and 504 are repeated': async ({ client, arrange }) => {
    await arrange(
      failing(500, 'internal_error'),
      { kind: 'answer', status: 502, headers: { 'Content-Type': 'text/html' }, body: '<h1>Bad gateway</h1>' },
      failing(503, 'unavailable', { 'Retry-After': '0' }),
    )
    same((await client.posts.list().withResponse()).attempts, 4)
    await arrange(...Array.from({ length: 4 }, () => failing(504, 'timeout')))
    const error = await thrownBy(client.posts.list())
    same([error['code'], error['status'], error['attempts']], ['timeout', 504, 4])
  },

  'a 4xx is not repeated': async ({ client, arrange, seen }) => {
    for (const status of [400, 403, 404, 409, 422]) {
      await arrange(failing(status, 'invalid_input'))
      await thrownBy(client.drafts.create({ content: 'x' }))
      same((await seen()).length, 1, `requests after ${status}`)
    }
  },

  'a response that is lost after its effect leads to one object': async ({ client, arrange, seen }) => {
    const content = unique()
    await arrange({ kind: 'lose' }, { kind: 'damage' }, { kind: 'lose' })
    const { data, replayed, attempts } = await client.drafts.create({ content }).withResponse()
    same([replayed, attempts], [true, 4])
    same(new Set((await seen()).map(({ headers }) => headers['idempotency-key'])).size, 1, 'the number of keys')
    const copies = []
    for await (const draft of client.drafts.list.all()) if (draft.content === content) copies.push(draft.id)
    same(copies, [data.id])
  },

  'a post whose response is lost is scheduled once': async ({ client, accountId, arrange }) => {
    const externalId = unique()
    await arrange({ kind: 'lose' })
    const body = { socialAccountIds: [accountId], content: 'Once', scheduledAt: '2031-01-01T09:00:00Z', externalId }
    const [post] = await client.posts.schedule(body)
    const copies = []
    for await (const each of client.posts.list.all({ status: 'scheduled' })) {
      if (each.externalId === externalId) copies.push(each.id)
    }
    same(copies, [post?.id])
    await client.posts.cancel(post?.id ?? '')
  },

  'two calls have two keys, and a key of the caller is kept': async ({ client, arrange, seen }) => {
    await arrange()
    await client.drafts.create({ content: 'a' })
    await client.drafts.create({ content: 'a' })
    await client.drafts.create({ content: 'a' }, { idempotencyKey: 'mine' })
    const keys = (await seen()).map(({ headers }) => headers['idempotency-key'])
    assert(new Set(keys).size === 3 && keys[2] === 'mine', 'the keys differ')
    assert(/^[0-9a-f]{32}$/.test(keys[0] ?? ''), 'a key is 128 random bits')
  },

  'a change without a key is not repeated when its response is lost': async ({ client, accountId, arrange, seen }) => {
    const [post] = await client.posts.schedule({
      socialAccountIds: [accountId],
      content: 'Cancel me',
      scheduledAt: '2031-01-01T09:00:00Z',
    })
    await arrange({ kind: 'lose' })
    const error = await thrownBy(client.posts.cancel(post?.id ?? '', { idempotencyKey: 'ignored' }))
    same([error['code'], (await seen()).length], ['connection_failed', 1])
    same((await client.posts.get(post?.id ?? '')).status, 'cancelled')
    await arrange({ kind: 'lose' })
    const sent = { body: { content: 'By request' } }
    const made = await client.request('POST', '/api/drafts', sent, { idempotencyKey: unique() }).withResponse()
    same([made.attempts, made.replayed], [2, true])
  },

  'the same change is repeated if nothing was changed': async ({ client, accountId, arrange }) => {
    const [post] = await client.posts.schedule({
      socialAccountIds: [accountId],
      content: 'Cancel me',
      scheduledAt: '2031-01-01T09:00:00Z',
    })
    await arrange(failing(503, 'unavailable'), failing(429, 'rate_limited'))
    same((await client.posts.cancel(post?.id ?? '').withResponse()).attempts, 3)
    await arrange(failing(503, 'outcome_unknown'))
    const error = await thrownBy(client.posts.cancel(post?.id ?? ''))
    same([error['code'], error['attempts']], ['outcome_unknown', 1])
  },

  'a change with ifMatch is not repeated when its response is lost': async ({ client, arrange, seen }) => {
    const draft = await client.drafts.create({ content: 'x' })
    const { etag } = await client.drafts.get(draft.id).withResponse()
    await arrange({ kind: 'lose' })
    const error = await thrownBy(client.drafts.update(draft.id, { content: 'y' }, { ifMatch: etag ?? '' }))
    same([error['code'], (await seen()).length], ['connection_failed', 1])
    await arrange({ kind: 'lose' })
    same((await client.drafts.update(draft.id, { content: 'z' }).withResponse()).attempts, 2)
  },

  'a request that hangs times out and is repeated': async ({ client, arrange, seen }) => {
    await arrange({ kind: 'hang' })
    same((await client.posts.list({}, { timeoutMs: 300 }).withResponse()).attempts, 2)
    await arrange({ kind: 'hang' })
    const error = await thrownBy(client.posts.list({}, { timeoutMs: 300, maxRetries: 0 }))
    same([error['code'], error['status'], (await seen()).length], ['request_timeout', 0, 1])
  },

  'a connection that is reset before its request is repeated': async ({ client, arrange }) => {
    await arrange({ kind: 'reset' }, { kind: 'reset' })
    same(typeof (await client.posts.list()).total, 'number')
  },

  'a body that is not JSON is an error when it does not pass': async ({ client, arrange }) => {
    const damaged = { kind: 'answer', status: 200, body: '{"success":tr' } as const
    await arrange(damaged, damaged, damaged, damaged)
    const error = await thrownBy(client.posts.list())
    same([error['code'], error['status'], error['attempts']], ['unexpected_response', 200, 4])
  },

  'a redirect is an error, and nothing follows it': async ({ client, url, arrange, seen }) => {
    await arrange({ kind: 'answer', status: 302, headers: { Location: `${url}/api/health` } })
    same((await thrownBy(client.posts.list()))['code'], 'unexpected_response')
    same((await seen()).length, 1)
  },

  'a signal ends the request, the wait, and the list': async ({ client, arrange, seen }) => {
    const reason = (error: Record<string, unknown>) => error['message']
    const ending = () => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new Error('enough')), 100)
      return controller.signal
    }
    await arrange({ kind: 'hang' })
    same(reason(await thrownBy(client.posts.list({}, { signal: ending() }))), 'enough')
    await arrange(failing(429, 'rate_limited', { 'Retry-After': '30' }))
    const startedAt = Date.now()
    same(reason(await thrownBy(client.posts.list({}, { signal: ending() }))), 'enough')
    assert(Date.now() - startedAt < 5_000, 'the wait ends immediately')
    await arrange()
    const aborted = AbortSignal.abort(new Error('before'))
    same(reason(await thrownBy(client.posts.list({}, { signal: aborted }))), 'before')
    same((await seen()).length, 0)
    same(reason(await thrownBy(client.posts.list.all({}, { signal: aborted }).next())), 'before')
  },
}
