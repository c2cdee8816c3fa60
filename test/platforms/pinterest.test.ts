import { expect, test } from 'vitest'
import { pinterest } from '../../shared/platforms/pinterest/publish.ts'
import { probeOnce } from '../../shared/posts/publishing/probe.ts'
import { boardId, metadata, visitPinterest } from './pinterest-visit.ts'
import { failureOf, png } from './site.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const { site, platforms, connect, open, publish, armed, creates, sent, fault } = await visitPinterest()

test('sends a small PNG inline with all fields', async () => {
  const call = await open()
  const { id, url } = await publish(call)
  expect(creates()).toMatchObject([
    {
      method: 'POST',
      path: '/v5/pins',
      query: '',
      headers: {
        authorization: `Bearer ${call.account.credentials['accessToken']}`,
        'content-type': 'application/json',
      },
    },
  ])
  expect(sent()).toEqual({
    board_id: '549755885171',
    title: 'Lemon cake',
    description: 'A cake for hot days',
    link: 'https://bea.example/cake',
    alt_text: 'a dot',
    media_source: { source_type: 'image_base64', content_type: 'image/png', data: png.toString('base64') },
  })
  expect(url).toBe(`https://www.pinterest.com/pin/${id}/`)
  const [shown] = platforms.published()
  expect(shown).toMatchObject({ account: 'bea_bakes / Summer recipes', text: 'Lemon cake\n\nA cake for hot days', url })
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer())).toEqual(png)
})

test.each([
  ['another type', { mimeType: 'image/gif' }, Buffer.from('47494638396101000100', 'hex')],
  ['a PNG too large for the call', { fileSize: 10_000_001 }, png],
])('Pinterest loads %s from its public URL', async (_, more, bytes) => {
  const media = [await site.file(more, bytes)]
  const call = await open({ media })
  await publish(call)
  expect(sent().media_source).toEqual({
    source_type: 'image_url',
    url: `${call.ctx.env('MEDIA_URL')}/${media[0]?.storageKey}`,
  })
  const [shown = ''] = platforms.published()[0]?.media ?? []
  expect(Buffer.from(await (await fetch(shown)).arrayBuffer())).toEqual(bytes)
})

test('sends an image of exactly 10 MB inline', async () => {
  const call = await open({ media: [await site.file({ fileSize: 10_000_000 })] })
  await publish(call)
  expect(sent().media_source.source_type).toBe('image_base64')
})

test('omits empty fields, and cuts a long image description between characters', async () => {
  const media = [await site.file({ altText: `${'é'.repeat(499)}😀 and more` })]
  await publish(await open({ text: '', metadata: { boardId, title: '', description: '' }, media }))
  expect(Object.keys(sent())).toEqual(['board_id', 'alt_text', 'media_source'])
  expect(sent().alt_text).toBe(`${'é'.repeat(499)}😀`)
})

test('retries a URL that Pinterest cannot load', async () => {
  const file = await site.file({ mimeType: 'image/gif' })
  const error = await failureOf(publish(await open({ media: [{ ...file, storageKey: 'media/gone' }] })))
  expect(error).toMatchObject({ errorClass: 'transient', message: 'Pinterest could not download the media.' })
})

test.each([
  ['a refused token', { fault: 'token_revoked' }, 'auth', { httpStatus: 401 }],
  [
    'trial access',
    { fault: 'status', status: 403, body: { code: 29, message: 'Apps with Trial access may not create Pins.' } },
    'permission',
    { operator: true },
  ],
  [
    'a board that is gone',
    { fault: 'status', status: 404, body: { code: 40, message: 'Board not found.' } },
    'invalid',
    { code: '40' },
  ],
  [
    'bad parameters',
    { fault: 'status', status: 400, body: { code: 1, message: 'Invalid request parameter.' } },
    'invalid',
    { detail: 'Invalid request parameter.' },
  ],
  ['429', { fault: 'rate_limited', retryAfterSeconds: 41.2 }, 'rate', { retryAfterSeconds: 42 }],
  [
    'spam',
    { fault: 'status', status: 429, body: { code: 8, message: 'This looks like spam.' } },
    'rate',
    { retryAfterSeconds: 3600 },
  ],
  ['403 as a page', { fault: 'status', status: 403, body: '<html>' }, 'transient', { httpStatus: 403 }],
  ...transportFaults,
  ...lostResponses,
] as const)('the create meets %s', async (_, script, errorClass, info) => {
  const call = await open()
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, info })
  expect(creates()).toHaveLength(1)
})

test('"not permitted" is about the board, unless the account is unreadable', async () => {
  const call = await open({ metadata: { ...metadata, boardId: '549755885175' } })
  const refused = await failureOf(publish(call))
  expect(refused).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining('Choose another one') })
  const own = await open()
  fault({ fault: 'status', status: 401, body: { code: 7, message: 'Not authorized to access board or Pin.' } })
  expect(await failureOf(publish(own))).toMatchObject({ errorClass: 'invalid', message: refused.message })
  fault({ fault: 'token_revoked', operation: 'profile' })
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'auth' })
})

test('a probe finds the Pin by fields and time, over short pages', async () => {
  const call = await open()
  await publish(call)
  site.pass(120_000)
  const attempt = await armed(call)
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  await failureOf(publish(call))
  const [, landed] = platforms.published()
  for (let n = 0; n < 51; n += 1) await publish({ ...call, post: { ...call.post, text: `other ${n}` } })
  const outcome = await pinterest.probe(call, attempt)
  expect(outcome).toMatchObject({ kind: 'published', url: landed?.url })
  // What the post has become since does not matter.
  const changed = { ...call, post: { ...call.post, text: 'new', metadata: { ...metadata, title: 'new' } } }
  expect(await pinterest.probe(changed, attempt)).toEqual(outcome)
})

test('a probe that cannot see enough is unclear', async () => {
  const call = await open()
  const attempt = await armed(call)
  const read = (body: unknown) => fault({ fault: 'status', status: 200, operation: 'read', times: 5, body })
  const ours = { id: '5', ...metadata, created_at: new Date(site.now()).toISOString() }
  fault({ fault: 'status', status: 502, operation: 'read' })
  expect(await probeOnce('pinterest', call, attempt)).toEqual({ kind: 'unclear' })
  const older = { ...ours, title: 'older', created_at: '2026-11-01T00:00:00' }
  read({ items: [{ ...older, created_at: '2026-11-21T13:00:00' }, older], bookmark: 'more' })
  expect(await pinterest.probe(call, attempt)).toEqual({ kind: 'absent' })
  platforms.faults.clear()
  // Without an order the rest may hold it.
  read({ items: [older, { ...older, created_at: '2026-11-21T13:00:00' }, older], bookmark: 'more' })
  expect(await probeOnce('pinterest', call, attempt)).toEqual({ kind: 'unclear' })
  platforms.faults.clear()
  read({ items: [{ ...ours, created_at: null }] })
  expect(await probeOnce('pinterest', call, attempt)).toEqual({ kind: 'unclear' })
})

test('ignores a Pin with another title, description, or link', async () => {
  const call = await open()
  const attempt = await armed(call)
  const probe = (more: object) => {
    const pin = { id: '5', ...metadata, created_at: new Date(site.now()).toISOString(), ...more }
    fault({ fault: 'status', status: 200, operation: 'read', body: { items: [pin] } })
    return pinterest.probe(call, attempt)
  }
  expect(await probe({})).toMatchObject({ kind: 'published', id: '5' })
  for (const other of [{ title: 'x' }, { description: null }, { link: null }, { created_at: '2026-11-21T11:58:00' }]) {
    expect(await probe(other)).toEqual({ kind: 'absent' })
  }
})

test('the stand-in rejects what Pinterest rejects', async () => {
  const { credentials } = await connect()
  const post = async (body: object) => {
    const headers = { authorization: `Bearer ${credentials['accessToken']}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${platforms.urls['pinterest']}/v5/pins`, init)
    return [answer.status, JSON.parse(await answer.text()).message]
  }
  const media_source = { source_type: 'image_base64', content_type: 'image/png', data: png.toString('base64') }
  const good = { board_id: boardId, media_source }
  expect((await post(good))[0]).toBe(201)
  expect(await post({ ...good, board_id: 'x' })).toEqual([
    400,
    expect.stringContaining(`'board_id' must match pattern`),
  ])
  expect(await post({ ...good, title: 'x'.repeat(101) })).toEqual([400, expect.stringContaining("'title'")])
  expect(await post({ ...good, tiltle: 'x' })).toEqual([400, expect.stringContaining("'tiltle'")])
  expect((await post({ board_id: boardId }))[0]).toBe(400)
  expect((await post({ ...good, media_source: { source_type: 'carrier_pigeon' } }))[0]).toBe(400)
  expect((await post({ ...good, media_source: { ...media_source, content_type: 'image/jpeg' } }))[0]).toBe(400)
})
