import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { FaultInput } from '../../infra/local/platforms/faults.ts'
import { slackSeed } from '../../infra/local/platforms/slack.ts'
import type { OutgoingPost, PlatformCall, UnsettledAttempt } from '../../shared/platforms/platform.ts'
import { checkPost } from '../../shared/platforms/rules.ts'
import { fetchChannels } from '../../shared/platforms/slack/channels.ts'
import { slack as connector } from '../../shared/platforms/slack/connect.ts'
import { slack } from '../../shared/platforms/slack/index.ts'
import { escapeText, plainText } from '../../shared/platforms/slack/text.ts'
import { accountOf, failureOf, png, startSite } from './site.ts'

const site = await startSite()
const { platforms } = site
const { app, teams } = slackSeed
const [acme, rotating] = teams
const channelId = (name: string) => slackSeed.channels.find((one) => one.name === name)?.id ?? 'C0NOWHERE'

beforeEach(() => {
  platforms.reset()
  site.effects.length = 0
})
afterAll(() => site.close())

const redirectUri = 'https://service.test/api/social-accounts/connect/slack/callback'

/** Says yes on Slack's page; answers the address it opened and the code it gave. */
async function letIn(team: { id: string } = acme) {
  const address = await connector.authorizeUrl(site.ctx(), { state: 'the-state', challenge: 'unused', redirectUri })
  const body = new URLSearchParams({ answer: 'allow', person: team.id })
  const sentBack = await fetch(address, { method: 'POST', body, redirect: 'manual' })
  return {
    address: new URL(address),
    code: new URL(sentBack.headers.get('location') ?? '').searchParams.get('code') ?? '',
  }
}

const connect = async (team?: { id: string }) => {
  const { code } = await letIn(team)
  const [connection] = await connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
  if (!connection) throw new Error('expected a connection')
  return connection
}

async function open(post: Partial<OutgoingPost> = {}, channel = 'general'): Promise<PlatformCall> {
  const account = accountOf(await connect())
  return { ctx: site.ctx(), account, post: site.post({ metadata: { channelId: channelId(channel) }, ...post }) }
}

async function prepared(call: PlatformCall) {
  const done = await slack.prepare?.(call, undefined)
  if (!done || !('ready' in done)) throw new Error('expected to be ready')
  return done.ready
}

const publish = async (call: PlatformCall) =>
  slack.commit(call, await prepared(call), slack.makeKey(call.post), undefined)

const armed = async (call: PlatformCall): Promise<UnsettledAttempt> => ({
  clientKey: slack.makeKey(call.post),
  ref: await prepared(call),
  armedAtMs: site.now(),
})

const calls = () => platforms.calls().map(({ operation }) => operation)
const sent = (operation: string) => platforms.calls().filter((call) => call.operation === operation)
const jsonOf = (operation: string) => JSON.parse(String(sent(operation).at(-1)?.body))
const formOf = (operation: string) => Object.fromEntries(new URLSearchParams(String(sent(operation).at(-1)?.body)))

function fault(more: Partial<FaultInput> & Pick<FaultInput, 'fault'>) {
  platforms.faults.add({ platform: 'slack', operation: 'create', times: 1, ...more })
}
const no = (error: string) => ({ fault: 'status', status: 200, body: { ok: false, error } }) as const

test('a text is one message that carries the id of its post', async () => {
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
  expect(calls().slice(-2)).toEqual(['create', 'permalink'])
})

test('a message whose address Slack does not tell is found where Slack puts it', async () => {
  const call = await open()
  fault({ fault: 'html_503', operation: 'permalink' })
  const { id, url } = await publish(call)
  expect(url).toBe(`https://acme.slack.com/archives/C0DEMO001/p${id?.replace('.', '')}`)
  expect(platforms.published()).toMatchObject([{ url }])
})

test('files are uploaded before the moment, and shown by one call with the text', async () => {
  const media = [
    await site.file({ originalFilename: 'a "dot".png', altText: 'é'.repeat(1001) }),
    await site.file({ originalFilename: 'two.png' }, Buffer.concat([png, png])),
  ]
  const call = await open({ text: 'Look & see', media }, 'random')
  const ref = await prepared(call)
  // The app was let in where it was not; nothing is public yet.
  expect(calls().slice(4)).toEqual(['channel', 'join', 'lease', 'upload', 'lease', 'upload'])
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
  expect(calls().slice(-3)).toEqual(['status', 'status', 'permalink'])
  expect(landed).toEqual({ id: expect.stringMatching(/^\d+\.\d{6}$/), url: shown?.url })
  expect(await slack.probe(call, { clientKey: 'key:1', ref, armedAtMs: site.now() })).toEqual({
    kind: 'landed',
    ...landed,
  })
})

test('where the share does not show in time, the file has an address of its own, or none', async () => {
  const permalink = 'https://acme.slack.com/files/U1/F1/dot.png'
  const body = { ok: true, file: { permalink } }
  fault({ fault: 'status', status: 200, operation: 'status', times: 2, body })
  const media = [await site.file()]
  expect(await publish(await open({ media }))).toEqual({ id: expect.stringMatching(/^F0/), url: permalink })
  fault({ fault: 'html_503', operation: 'status' })
  expect(await publish(await open({ media }))).toEqual({ id: expect.stringMatching(/^F0/), url: null })
})

test('files without a text have no comment', async () => {
  await publish(await open({ text: ' \n', media: [await site.file()] }))
  expect(jsonOf('create')).not.toHaveProperty('initial_comment')
})

test('large files go up in phases, each once, and the channel is joined once', async () => {
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
  expect(calls().slice(4)).toEqual(['channel', 'join', 'lease', 'upload', 'lease', 'upload'])
  expect(await slack.commit(call, second && 'ready' in second ? second.ready : {}, 'k:1', undefined)).toMatchObject({
    url: platforms.published()[0]?.url,
  })
})

test.each([
  ['archived', 'attic', 'archived'],
  ['private and closed to the app', 'board', 'invite it there'],
  ['not there', 'nowhere', 'choose another one'],
])('a channel that is %s is told, for a text and for files', async (_, channel, words) => {
  for (const media of [[], [await site.file()]]) {
    const error = await failureOf(publish(await open({ media }, channel)))
    expect(error).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining(words) })
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
  ['a restricted channel', no('restricted_action'), 'invalid', { code: 'restricted_action' }],
  ['a word nobody knows', no('brand_new_error'), 'invalid', { code: 'brand_new_error' }],
  ['internal_error', no('internal_error'), 'unknown', { code: 'internal_error' }],
  ['fatal_error', no('fatal_error'), 'unknown', { code: 'fatal_error' }],
  ['service_unavailable', no('service_unavailable'), 'unknown', {}],
  ['500', { fault: 'status', status: 500 }, 'unknown', { httpStatus: 500 }],
  ['503 as a page', { fault: 'html_503' }, 'unknown', { httpStatus: 503 }],
  ['403 as a page', { fault: 'status', status: 403, body: '<html>' }, 'transient', { httpStatus: 403 }],
  ['a lost answer', { fault: 'landed_then_reset' }, 'unknown', { detail: 'reset' }],
  ['another shape', { fault: 'wrong_json' }, 'unknown', { httpStatus: 200 }],
] as const)('the create meets %s', async (_, script, errorClass, facts) => {
  const call = await open()
  fault(script)
  expect(await failureOf(publish(call))).toMatchObject({ errorClass, facts })
  expect(sent('create')).toHaveLength(1)
})

test('files that Slack has dropped are uploaded again before the next try', async () => {
  const call = await open({ media: [await site.file()] })
  fault(no('file_not_found'))
  expect(await failureOf(publish(call))).toMatchObject({ errorClass: 'transient', facts: { preparedGone: true } })
})

test('before the moment an unclear answer is only tried again, and a broken upload too', async () => {
  const call = await open({ media: [await site.file()] })
  fault({ ...no('internal_error'), operation: 'lease' })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient' })
  fault({ fault: 'status', status: 404, body: 'gone', operation: 'upload' })
  expect(await failureOf(prepared(call))).toMatchObject({
    errorClass: 'transient',
    message: 'Slack did not take the file.',
  })
})

test('an upload address elsewhere gets nothing', async () => {
  const call = await open({ media: [await site.file()] })
  const body = { ok: true, upload_url: 'https://evil.test/upload', file_id: 'F1' }
  fault({ fault: 'status', status: 200, operation: 'lease', body })
  expect(await failureOf(prepared(call))).toMatchObject({ errorClass: 'transient', facts: { operator: true } })
  expect(calls()).not.toContain('upload')
})

test('a probe finds its own message by what it carries', async () => {
  const call = await open()
  await publish({ ...call, post: { ...call.post, id: 'other' } })
  const attempt = await armed(call)
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  fault({ fault: 'landed_then_reset' })
  await failureOf(publish(call))
  const [, landed] = platforms.published()
  for (let n = 0; n < 20; n += 1) await publish({ ...call, post: { ...call.post, id: `n${n}` } })
  expect(await slack.probe(call, attempt)).toMatchObject({ kind: 'landed', url: landed?.url })
  const changed = { ...call, post: { ...call.post, text: 'new', metadata: { channelId: channelId('random') } } }
  expect(await slack.probe(changed, attempt)).toMatchObject({ kind: 'landed', url: landed?.url })
  // The next version is another message.
  expect(await slack.probe(call, { ...attempt, clientKey: `${call.post.id}:2` })).toEqual({ kind: 'absent' })
  expect(formOf('read')).toMatchObject({
    channel: 'C0DEMO001',
    inclusive: 'true',
    include_all_metadata: 'true',
    limit: '15',
  })
})

test('a probe of a text in a channel the app is not in joins it; where it cannot read, it is unclear', async () => {
  const call = await open({}, 'random')
  const attempt = await armed(call)
  expect(await slack.probe(call, attempt)).toEqual({ kind: 'absent' })
  expect(calls()).toContain('join')
  for (const error of ['missing_scope', 'ratelimited', 'not_in_channel']) {
    fault({ ...no(error), operation: 'read' })
    expect(await slack.probe(call, attempt)).toEqual({ kind: 'unclear' })
  }
})

test('where Slack keeps the metadata back, author, text and time decide, if they fit only one message', async () => {
  const call = await open({ text: 'See https://a.test & more' })
  const attempt = await armed(call)
  const ts = (seconds: number) => `${Math.floor(site.now() / 1000) + seconds}.000000`
  const said = { type: 'message', user: 'U0DEMOBOT1', text: 'See <https://a.test> &amp; more', ts: ts(1) }
  const probe = (...messages: object[]) => {
    fault({ fault: 'status', status: 200, operation: 'read', body: { ok: true, messages } })
    return slack.probe(call, attempt)
  }
  expect(await probe(said)).toMatchObject({ kind: 'landed', id: ts(1) })
  expect(await probe(said, { ...said, ts: ts(2) })).toEqual({ kind: 'unclear' })
  for (const other of [{ user: 'U1' }, { text: 'x' }, { ts: ts(-6) }]) {
    expect(await probe({ ...said, ...other })).toEqual({ kind: 'absent' })
  }
})

test('files: no share is absence, a share elsewhere too, trouble is unclear', async () => {
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
  expect(await slack.probe(call, attempt)).toMatchObject({ kind: 'landed', id: '1700000000.000001' })
})

test('what is typed survives the way to Slack and back', () => {
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

test('a person adds the app: the address, the exchange, the workspace', async () => {
  const { address, code } = await letIn(rotating)
  expect(address.pathname).toBe('/oauth/v2/authorize')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    client_id: app.clientId,
    scope:
      'chat:write,chat:write.public,channels:read,groups:read,channels:join,files:write,files:read,team:read,channels:history,groups:history',
    redirect_uri: redirectUri,
    state: 'the-state',
  })
  const connections = await connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
  expect(connections).toEqual([
    {
      platform: 'slack',
      providerName: 'Slack',
      externalId: 'T0DEMO002',
      username: 'Rotating',
      displayName: 'Rotating',
      profileImageUrl: 'https://avatars.slack-edge.com/T0DEMO002_132.png',
      credentials: {
        accessToken: expect.stringMatching(/^xoxe\.xoxb-/),
        refreshToken: expect.stringMatching(/^xoxe-1-/),
        expiresAtMs: site.now() + 43_200_000 - 60_000,
      },
      details: { url: 'https://rotating.slack.com/', botUserId: 'U0DEMOBOT2' },
    },
  ])
  const basic = `Basic ${Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64')}`
  expect(sent('login')).toMatchObject([{ path: '/api/oauth.v2.access', headers: { authorization: basic } }])
  expect(formOf('login')).toEqual({ code, redirect_uri: redirectUri })
  const again = connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' })
  expect(await failureOf(again)).toMatchObject({ errorClass: 'invalid', facts: { code: 'invalid_code' } })
})

test('tokens end only where rotation is on, and are renewed once', async () => {
  const lasting = await connect()
  expect(lasting.credentials).toEqual({ accessToken: expect.stringMatching(/^xoxb-/) })
  expect(connector.credentialsExpireAtMs?.(lasting.credentials)).toBeUndefined()
  const refresh = async (account: Parameters<NonNullable<typeof connector.refresh>>[1]) =>
    connector.refresh?.(site.ctx(), account)
  expect(await failureOf(refresh(accountOf(lasting)))).toMatchObject({ errorClass: 'auth' })

  const account = accountOf(await connect(rotating))
  site.pass(13 * 3_600_000)
  expect(await failureOf(fetchChannels(site.ctx(), account))).toMatchObject({ facts: { code: 'token_expired' } })
  const credentials = await refresh(account)
  expect(formOf('login')).toEqual({ grant_type: 'refresh_token', refresh_token: account.credentials['refreshToken'] })
  expect(credentials?.['refreshToken']).not.toBe(account.credentials['refreshToken'])
  expect(await fetchChannels(site.ctx(), { ...account, credentials: credentials ?? {} })).toHaveLength(1)
  expect(await failureOf(refresh(account))).toMatchObject({
    errorClass: 'auth',
    facts: { code: 'invalid_refresh_token' },
  })
})

test.each([
  ['a whole organisation', { is_enterprise_install: true }, 'whole organisation'],
  ['too few rights', { scope: 'chat:write,team:read' }, 'files:write'],
])('an installation with %s is refused', async (_, more, words) => {
  const { code } = await letIn()
  const good = { ok: true, access_token: 'xoxb-1', scope: '', team: { id: 'T1', name: 'T' }, bot_user_id: 'U1' }
  fault({ fault: 'status', status: 200, operation: 'login', body: { ...good, ...more } })
  const error = await failureOf(connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' }))
  expect(error).toMatchObject({ errorClass: 'invalid', message: expect.stringContaining(words) })
})

test('a wrong secret is the operator to mend', async () => {
  const { code } = await letIn()
  fault({ ...no('bad_client_secret'), operation: 'login' })
  const error = await failureOf(connector.connect(site.ctx(), { code, redirectUri, verifier: 'unused' }))
  expect(error).toMatchObject({ errorClass: 'permission', facts: { operator: true } })
})

test('channels: every page, over an empty one, without archived ones and closed ones', async () => {
  const channels = await fetchChannels(site.ctx(), accountOf(await connect()))
  expect(channels).toEqual([
    { id: 'C0DEMO001', name: 'general', type: 'public', isMember: true },
    { id: 'C0DEMO002', name: 'random', type: 'public', isMember: false },
    { id: 'C0DEMO004', name: 'launch', type: 'private', isMember: true },
    { id: 'C0DEMO006', name: 'showcase', type: 'public', isMember: false },
  ])
  const asked = sent('channels').map(({ body }) => Object.fromEntries(new URLSearchParams(String(body))))
  expect(asked).toHaveLength(3)
  expect(asked[0]).toEqual({ types: 'public_channel,private_channel', exclude_archived: 'true', limit: '200' })
  expect(asked[2]?.['cursor']).toBeTruthy()
})

const file = (more: object = {}) => ({
  id: 'm',
  storageKey: 'k',
  mimeType: 'image/png',
  fileSize: 1000,
  originalFilename: 'a.png',
  ...more,
})
const check = (content: string, media: readonly object[] = [], block: unknown = { channelId: 'C0DEMO001' }) =>
  checkPost(slack, { socialAccountId: 'acc', content, metadata: block, media: media.map(file) }).map(({ code }) => code)

test.each([
  ['letters', 'x'],
  ['characters beyond the first plane', '😀'],
  ['characters that are escaped', '&'],
  ['combining marks, each by itself', '\u0301'],
])('4000 %s: one below, at and above the limit', (_, letter) => {
  expect(check(letter.repeat(3999))).toEqual([])
  expect(check(letter.repeat(4000))).toEqual([])
  expect(check(letter.repeat(4001))).toEqual(['content_length'])
})

test('up to ten files of 50 MB, and a channel', () => {
  expect(check('', Array(9).fill({}))).toEqual([])
  expect(check('', Array(10).fill({}))).toEqual([])
  expect(check('', Array(11).fill({}))).toContain('media_count')
  for (const mimeType of ['image/gif', 'video/mp4']) {
    expect(check('', [{ mimeType, fileSize: 49_999_999 }])).toEqual([])
    expect(check('', [{ mimeType, fileSize: 50_000_000 }])).toEqual([])
    expect(check('', [{ mimeType, fileSize: 50_000_001 }])).toEqual(['media_size'])
  }
  expect(check('', [{}, { mimeType: 'video/mp4' }])).toEqual([])
  expect(check('')).toEqual(['content_empty'])
  expect(check('Hi', [], undefined)).toEqual([])
  expect(check('Hi', [], null)).toEqual(['metadata_required'])
  for (const channel of ['general', '#general', 'D0DEMO001', 'c0demo001']) {
    expect(check('Hi', [], { channelId: channel })).toEqual(['metadata_invalid'])
  }
})
