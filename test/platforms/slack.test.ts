import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeText, plainText, slack } from '../../shared/platforms/slack/publish.ts'
import { failureOf, png } from './site.ts'
import { channelId, no, visitSlack } from './slack-visit.ts'
import { lostResponses, transportFaults } from './transport-faults.ts'

const { site, platforms, open, prepared, publish, armed, operations, sent, jsonOf, formOf, fault } = await visitSlack()

test('sends a text as one message with the id of its post', async () => {
  const call = await open({ id: 'post_1', version: 3, text: 'Tea & <cake> for <!channel> *now*' })
  const { id, url } = await publish(call)
  expect(sent('create')).toMatchObject([
    {
      method: 'POST',
      path: '/api/chat.postMessage',
      headers: {
        authorization: `Bearer ${call.account.credentials['accessToken']}`,
        'content-type': 'application/json; charset=utf-8',
      },
    },
  ])
  expect(jsonOf('create')).toEqual({
    channel: 'C0DEMO001',
    text: 'Tea &amp; &lt;cake&gt; for &lt;!channel&gt; *now*',
    unfurl_links: true,
    unfurl_media: true,
    metadata: { event_type: 'svc_post', event_payload: { post_id: 'post_1', v: '3' } },
  })
  expect(url).toBe(`https://acme.slack.com/archives/C0DEMO001/p${id?.replace('.', '')}`)
  expect(platforms.published()).toMatchObject([{ account: 'Acme #general', text: call.post.text, url }])
  expect(operations().slice(-2)).toEqual(['create', 'permalink'])
})

test('builds the URL of a message that Slack returns without one', async () => {
  const call = await open()
  fault({ fault: 'html_503', operation: 'permalink' })
  const { id, url } = await publish(call)
  expect(url).toBe(`https://acme.slack.com/archives/C0DEMO001/p${id?.replace('.', '')}`)
  expect(platforms.published()).toMatchObject([{ url }])
})

test('uploads files ahead, and publishes them with the text by one call', async () => {
  const media = [
    await site.file({ originalFilename: 'a "dot".png', altText: 'é'.repeat(1001) }),
    await site.file({ originalFilename: 'two.png' }, Buffer.concat([png, png])),
  ]
  const call = await open({ text: 'Look & see', media }, 'random')
  const ref = await prepared(call)
  // The app was let in where it was not; nothing is public yet.
  expect(operations().slice(4)).toEqual(['channel', 'join', 'lease', 'upload', 'lease', 'upload'])
  expect(platforms.published()).toEqual([])
  const [first, second] = sent('lease').map(({ body }) => Object.fromEntries(new URLSearchParams(String(body))))
  expect(first).toEqual({ filename: 'a "dot".png', length: String(png.length), alt_txt: 'é'.repeat(1000) })
  expect(second).toEqual({ filename: 'two.png', length: String(2 * png.length) })
  expect(sent('upload')[1]).toMatchObject({
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(2 * png.length) },
  })
  expect(sent('upload')[1]?.headers['authorization']).toBeUndefined()
  // The address of an upload is a secret: it is not observed.
  expect(site.effects.filter(({ action }) => action.includes('upload/v1'))).toMatchObject(
    Array(2).fill({ action: 'POST /upload/v1' }),
  )

  const landed = await slack.commit(call, ref, 'key:1', undefined)
  const { files, ...rest } = jsonOf('create')
  expect(rest).toEqual({ channel_id: 'C0DEMO002', initial_comment: 'Look &amp; see' })
  expect(files).toEqual([
    { id: expect.stringMatching(/^F0/), title: 'a "dot".png' },
    { id: expect.stringMatching(/^F0/), title: 'two.png' },
  ])
  const [shown] = platforms.published()
  expect(shown).toMatchObject({ account: 'Acme #random', text: 'Look & see' })
  expect(Buffer.from(await (await fetch(shown?.media[0] ?? '')).arrayBuffer())).toEqual(png)
  // The share shows a little later than the answer.
  expect(operations().slice(-3)).toEqual(['status', 'status', 'permalink'])
  expect(landed).toEqual({ id: expect.stringMatching(/^\d+\.\d{6}$/), url: shown?.url })
  expect(await slack.probe(call, { clientKey: 'key:1', ref, startedAtMs: site.now() })).toEqual({
    kind: 'published',
    ...landed,
  })
})

test('a file without a visible share has its own URL or none', async () => {
  const permalink = 'https://acme.slack.com/files/U1/F1/dot.png'
  const body = { ok: true, file: { permalink } }
  fault({ fault: 'status', status: 200, operation: 'status', times: 2, body })
  const media = [await site.file()]
  expect(await publish(await open({ media }))).toEqual({ id: expect.stringMatching(/^F0/), url: permalink })
  fault({ fault: 'html_503', operation: 'status' })
  expect(await publish(await open({ media }))).toEqual({ id: expect.stringMatching(/^F0/), url: null })
})

test('sends files without text without a comment', async () => {
  await publish(await open({ text: ' \n', media: [await site.file()] }))
  expect(jsonOf('create')).not.toHaveProperty('initial_comment')
})

test('uploads large files in phases, each once, and joins the channel once', async () => {
  const media = [
    await site.file({}, Buffer.alloc(31_000_000)),
    await site.file({ originalFilename: 'two.png' }, Buffer.alloc(29_000_001)),
  ]
  const call = await open({ media }, 'random')
  const first = await slack.prepare?.(call, undefined)
  if (!first || !('waitSeconds' in first)) throw new Error('expected another phase')
  expect(sent('upload').map(({ status }) => status)).toEqual([200])
  const second = await slack.prepare?.(call, first.resume)
  expect(second).toMatchObject({
    ready: { files: [{ title: 'dot.png' }, { title: 'two.png' }] },
    expiresAtMs: site.now() + 3_600_000,
  })
  expect(operations().slice(4)).toEqual(['channel', 'join', 'lease', 'upload', 'lease', 'upload'])
  expect(await slack.commit(call, second && 'ready' in second ? second.ready : {}, 'k:1', undefined)).toMatchObject({
    url: platforms.published()[0]?.url,
  })
})

test.each([
  ['archived', 'attic', 'archived'],
  ['private and closed to the app', 'board', 'Invite the app'],
  ['not there', 'nowhere', 'choose another channel'],
])('reports a channel that is %s, for a text and for files', async (_, channel, message) => {
  for (const media of [[], [await site.file()]]) {
    const error = await failureOf(publish(await open({ media }, channel)))
    expect(error).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining(message) })
  }
  expect(platforms.published()).toEqual([])
})

test.each([
  ['a dead token', { fault: 'token_revoked' }, 'auth', { code: 'token_revoked' }],
  ['a missing right', no('missing_scope'), 'auth', { code: 'missing_scope' }],
  ['429', { fault: 'rate_limited', retryAfterSeconds: 30 }, 'rate', { retryAfterSeconds: 30 }],
  ['429 without a time', { fault: 'status', status: 429 }, 'rate', { retryAfterSeconds: 60 }],
  ['ratelimited with a 200', no('ratelimited'), 'rate', { retryAfterSeconds: 60 }],
  ['a workspace on the move', no('team_added_to_org'), 'rate', { retryAfterSeconds: 600 }],
  ['a text too long', no('msg_too_long'), 'invalid', { detail: 'msg_too_long' }],
  ['a restricted channel', no('restricted_action'), 'blocked', { code: 'restricted_action' }],
  ['an unknown error', no('brand_new_error'), 'invalid', { code: 'brand_new_error' }],
  ['internal_error', no('internal_error'), 'unknown', { code: 'internal_error' }],
  ['internal_error with a 400', { ...no('internal_error'), status: 400 }, 'unknown', { httpStatus: 400 }],
  ['fatal_error', no('fatal_error'), 'unknown', { code: 'fatal_error' }],
  ['service_unavailable', no('service_unavailable'), 'unknown', {}],
  ['403 as a page', { fault: 'status', status: 403, body: '<html>' }, 'transient', { httpStatus: 403 }],
  ...transportFaults,
  ...lostResponses,
] as const)('the create meets %s', async (_, script, errorClass, info) => {
  const call = await open()
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, info })
  expect(sent('create')).toHaveLength(1)
})

test('uploads dropped files again before the next try', async () => {
  const call = await open({ media: [await site.file()] })
  fault(no('file_not_found'))
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'transient', info: { preparedGone: true } })
})

test('an unclear response and a broken upload before publishing are transient', async () => {
  const call = await open({ media: [await site.file()] })
  fault({ ...no('internal_error'), operation: 'lease' })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  fault({ fault: 'status', status: 404, body: 'gone', operation: 'upload' })
  expect(await failureOf(prepared(call))).toMatchObject({
    errorClass: 'transient',
    message: 'Slack did not accept the upload.',
  })
})

test('sends nothing to an upload URL on another host', async () => {
  const call = await open({ media: [await site.file()] })
  const body = { ok: true, upload_url: 'https://evil.test/upload', file_id: 'F1' }
  fault({ fault: 'status', status: 200, operation: 'lease', body })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient', info: { operator: true } })
  expect(operations()).not.toContain('upload')
})

test('a probe finds the message by its metadata', async () => {
  const call = await open()
  await publish({ ...call, post: { ...call.post, id: 'other' } })
  const attempt = await armed(call)
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  await failureOf(publish(call))
  const [, landed] = platforms.published()
  for (let n = 0; n < 20; n += 1) await publish({ ...call, post: { ...call.post, id: `n${n}` } })
  expect(await slack.probe(call, attempt)).toMatchObject({ kind: 'published', url: landed?.url })
  const changed = { ...call, post: { ...call.post, text: 'new', metadata: { channelId: channelId('random') } } }
  expect(await slack.probe(changed, attempt)).toMatchObject({ kind: 'published', url: landed?.url })
  // The next version is another message.
  expect(await slack.probe(call, { ...attempt, clientKey: `${call.post.id}:2` })).toEqual({ kind: 'absent' })
  expect(formOf('read')).toMatchObject({
    channel: 'C0DEMO001',
    inclusive: 'true',
    include_all_metadata: 'true',
    limit: '15',
  })
})

test('a probe joins the channel, and is unclear where it cannot read', async () => {
  const call = await open({}, 'random')
  const attempt = await armed(call)
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  expect(operations()).toContain('join')
  for (const error of ['missing_scope', 'ratelimited', 'not_in_channel']) {
    fault({ ...no(error), operation: 'read' })
    expect(await slack.probe(call, attempt)).toEqual({ kind: 'unclear' })
  }
})

test('without metadata a probe finds the only message with the same author, text, and time', async () => {
  const call = await open({ text: 'See https://a.test & more' })
  const attempt = await armed(call)
  const ts = (seconds: number) => `${Math.floor(site.now() / 1000) + seconds}.000000`
  const slackMessage = { type: 'message', user: 'U0DEMOBOT1', text: 'See <https://a.test> &amp; more', ts: ts(1) }
  const probe = (...messages: object[]) => {
    fault({ fault: 'status', status: 200, operation: 'read', body: { ok: true, messages } })
    return slack.probe(call, attempt)
  }
  expect(await probe(slackMessage)).toMatchObject({ kind: 'published', id: ts(1) })
  expect(await probe(slackMessage, { ...slackMessage, ts: ts(2) })).toEqual({ kind: 'unclear' })
  for (const other of [{ user: 'U1' }, { text: 'x' }, { ts: ts(-6) }]) {
    expect(await probe({ ...slackMessage, ...other })).toEqual({ kind: 'absent' })
  }
})

test('a probe of files: no share is absent, an error is unclear', async () => {
  const call = await open({ media: [await site.file()] })
  const attempt = await armed(call)
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  const status = (body: object) => fault({ fault: 'status', status: 200, operation: 'status', body })
  status({ ok: true, file: { shares: { public: { C0ELSE: [{ ts: '1.0' }] } } } })
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  status({ ok: false, error: 'file_not_found' })
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  status({ ok: false, error: 'internal_error' })
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'unclear' })
  status({ ok: true, file: { shares: { private: { C0DEMO001: [{ ts: '1700000000.000001' }] } } } })
  expect(await slack.probe(call, attempt)).toMatchObject({ kind: 'published', id: '1700000000.000001' })
})

test('a typed text survives escaping', () => {
  const typed = fc.array(
    fc.constantFrom('&', '<', '>', ';', 'amp', 'lt', '!here', '@U1', 'https://a.test', '|', ' ', '😀'),
  )
  fc.assert(
    fc.property(typed, (pieces) => {
      const text = pieces.join('')
      expect(plainText(escapeText(text))).toBe(text)
      expect(escapeText(text)).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
    }),
  )
  expect(plainText('<https://a.test|a.test> and <mailto:b@c.d>')).toBe('a.test and mailto:b@c.d')
})

test('a comment replies in the thread of its post, and is looked for among the replies', async () => {
  const post = await open({ text: 'The post' })
  const { id } = await publish(post)
  const call = await open({ id: 'post_1c', version: 1, text: 'The comment', replyTo: id ?? '' })
  const attempt = await armed(call)
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  const landed = await publish(call)
  expect(jsonOf('create')).toEqual({
    channel: 'C0DEMO001',
    text: 'The comment',
    unfurl_links: true,
    unfurl_media: true,
    thread_ts: id,
    metadata: { event_type: 'svc_post', event_payload: { post_id: 'post_1c', v: '1' } },
  })
  for (let n = 0; n < 20; n += 1) await publish({ ...call, post: { ...call.post, id: `n${n}` } })
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'published', ...landed })
  expect(sent('read').at(-1)?.path).toBe('/api/conversations.replies')
  expect(formOf('read')).toMatchObject({ channel: 'C0DEMO001', ts: id, limit: '15' })
  // What Slack does not let the app read proves nothing.
  fault({ ...no('missing_scope'), operation: 'read' })
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'unclear' })
})

test('a comment under files waits until Slack shows their message', async () => {
  const { id } = await publish(await open({ media: [await site.file()] }))
  const file = JSON.parse(String(sent('create').at(-1)?.body)).files[0].id
  const call = await open({ replyTo: file })
  expect(await prepared(call)).toMatchObject({ threadTs: id })
  fault({ fault: 'status', status: 200, operation: 'status', body: { ok: true, file: {} } })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
})
