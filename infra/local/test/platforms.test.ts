import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { MultipartError, parseMultipart } from '../pages/multipart.ts'
import { contentId } from '../platforms/bluesky/ids.ts'
import { blueskySeed } from '../platforms/bluesky.ts'
import { discordSeed } from '../platforms/discord.ts'
import { startPlatforms } from '../platforms/start.ts'

let now = Date.UTC(2026, 10, 21, 12)
const platforms = await startPlatforms({ clock: { now: () => now } })
const { bluesky = '', discord = '' } = platforms.urls
const png = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex')
const { account, secondAccount, mentionable } = blueskySeed
const { guild, bot, clientId } = discordSeed
const dot = new Blob([png], { type: 'image/png' })
const recordRef = { repo: account.did, collection: 'app.bsky.feed.post', rkey: '3n2sghbdlvk2b' }

beforeEach(() => platforms.reset())
afterAll(() => platforms.close())

async function request(url: string, init: RequestInit = {}) {
  const answer = await fetch(url, { redirect: 'manual', ...init })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: answer.status, headers: answer.headers, text, body: isJson && text ? JSON.parse(text) : undefined }
}

function post(url: string, json: unknown, headers = {}) {
  const body = JSON.stringify(json)
  return request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const call = (method: string, json: unknown, token = '') => post(`${bluesky}/xrpc/${method}`, json, bearer(token))
const read = (method: string, query: Record<string, string>, token?: string) =>
  request(`${bluesky}/xrpc/${method}?${new URLSearchParams(query)}`, { headers: token ? bearer(token) : {} })
const login = (identifier: string, password: string) =>
  call('com.atproto.server.createSession', { identifier, password })
const loginDemo = async () => (await login(account.handle, account.appPassword)).body

function put(token: string, record: object, rkey = recordRef.rkey) {
  const full = { $type: recordRef.collection, text: 'Hello', createdAt: '2026-11-21T12:00:00.000Z', ...record }
  return call('com.atproto.repo.putRecord', { ...recordRef, rkey, record: full }, token)
}

const asBot = { authorization: `Bot ${discordSeed.botToken}`, 'user-agent': 'DiscordBot (https://service.test, 1.0)' }
const channelId = (name: string) => discordSeed.channels.find((channel) => channel.name === name)?.id
const messagesOf = (channel: string, origin = discord) => `${origin}/api/v10/channels/${channelId(channel)}/messages`
const sendMessage = (json: unknown, channel = 'general') => post(messagesOf(channel), json, asBot)

function postWithFiles(payload: object, files: readonly Blob[], origin = discord) {
  const form = new FormData()
  form.set('payload_json', new Blob([JSON.stringify(payload)], { type: 'application/json' }))
  for (const [index, file] of files.entries()) form.set(`files[${index}]`, file, `${index}.png`)
  return request(messagesOf('general', origin), { method: 'POST', headers: asBot, body: form })
}

test('Bluesky: sessions open by handle or DID, rotate with a grace period, expire, and end', async () => {
  expect(await login(account.handle, 'no')).toMatchObject({ status: 401, body: { error: 'AuthenticationRequired' } })
  expect((await login(account.did, account.appPassword)).body.handle).toBe(account.handle)
  const session = await loginDemo()
  expect(session.didDoc.service[0]).toMatchObject({ id: '#atproto_pds', serviceEndpoint: bluesky })
  const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims(session.accessJwt)).toMatchObject({ scope: 'com.atproto.appPass', exp: now / 1000 + 7200 })
  const bare = (method: string, token: string) =>
    request(`${bluesky}/xrpc/com.atproto.server.${method}`, { method: 'POST', headers: bearer(token) })
  const refresh = async (token: string) => (await bare('refreshSession', token)).body
  const next = await refresh(session.refreshJwt)
  expect(claims(next.refreshJwt).jti).not.toBe(claims(session.refreshJwt).jti)
  expect(claims((await refresh(session.refreshJwt)).refreshJwt).jti).toBe(claims(next.refreshJwt).jti)
  now += 7_200_000
  const revoked = { error: 'ExpiredToken', message: 'Token has been revoked' }
  expect(await refresh(session.refreshJwt)).toEqual(revoked)
  const me = async (token?: string) => (await read('com.atproto.server.getSession', {}, token)).body
  expect(await me(next.accessJwt)).toEqual({ error: 'ExpiredToken', message: 'Token has expired' })
  expect([(await me(next.refreshJwt)).error, (await me()).error]).toEqual(['InvalidToken', 'AuthMissing'])
  const fresh = await refresh(next.refreshJwt)
  expect((await me(fresh.accessJwt)).did).toBe(account.did)
  await bare('deleteSession', fresh.refreshJwt)
  expect(await refresh(fresh.refreshJwt)).toEqual(revoked)
})

test('Bluesky: a post with an image becomes public once, whatever is repeated', async () => {
  const { accessJwt: token } = await loginDemo()
  const url = `${bluesky}/xrpc/com.atproto.repo.uploadBlob`
  const upload = (headers = {}) =>
    request(url, { method: 'POST', headers: { ...bearer(token), ...headers }, body: png })
  expect((await upload()).body.error).toBe('InvalidRequest')
  const { blob } = (await upload({ 'content-type': 'image/jpeg' })).body
  expect(blob).toMatchObject({ ref: { $link: contentId('raw', png) }, mimeType: 'image/png', size: png.length })
  // The widely published content id of zero raw bytes.
  expect(contentId('raw', Buffer.of())).toBe('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku')
  const embed = { $type: 'app.bsky.embed.images', images: [{ alt: 'a dot', image: blob }] }
  const puts = (await Promise.all([1, 2, 3].map(() => put(token, { embed })))).map((answer) => answer.body)
  expect([puts.filter((result) => result.commit).length, new Set(puts.map((result) => result.cid)).size]).toEqual([
    1, 1,
  ])
  const live = `https://bsky.app/profile/${account.did}/post/${recordRef.rkey}`
  const media = [`${platforms.url}/media/bluesky/${blob.ref.$link}`]
  const shown = {
    platform: 'bluesky',
    account: account.handle,
    text: 'Hello',
    media,
    replyTo: null,
    url: live,
    extras: [],
  }
  expect((await request(`${platforms.url}/published`)).body).toEqual([{ ...shown, publishedAt: now }])
  expect(await (await fetch(media[0] ?? '')).bytes()).toEqual(new Uint8Array(png))
  await put(token, { text: 'more', reply: { root: puts[0], parent: puts[0] } }, '3n2sghbdlvk2c')
  expect(platforms.published()[1]?.replyTo).toBe(live)
  const listed = await read('com.atproto.repo.listRecords', { ...recordRef, repo: account.handle, limit: '1' })
  expect(listed.body).toMatchObject({ cursor: '3n2sghbdlvk2c', records: [{ value: { text: 'more' } }] })
  const remove = async () => (await call('com.atproto.repo.deleteRecord', recordRef, token)).body
  expect([await remove(), await remove()]).toEqual([{ commit: expect.anything() }, {}])
  expect((await read('com.atproto.repo.getRecord', recordRef)).body.error).toBe('RecordNotFound')
})

test('Bluesky: rejects what the lexicon rejects, with its messages', async () => {
  const { accessJwt: token } = await loginDemo()
  const refusal = async (record: object, rkey?: string) =>
    (await put(token, record, rkey)).body.message?.replace('Invalid app.bsky.feed.post record: ', '')
  const blob = { $type: 'blob', ref: { $link: 'bafkreiaaa' }, mimeType: 'image/png', size: 9 }
  const images = (count: number, more: object) => ({
    embed: { $type: 'app.bsky.embed.images', images: Array(count).fill({ alt: '', image: { ...blob, ...more } }) },
  })
  const image = '$.record.embed.images[0].image'
  const refused: [object, string][] = [
    [{ text: 'x'.repeat(301) }, 'grapheme too big (maximum 300, got 301) at $.record.text'],
    [{ text: '👨‍👩‍👧‍👦'.repeat(130) }, 'string too big (maximum 3000, got 3250) at $.record.text'],
    [images(5, {}), 'array too big (maximum 4, got 5) at $.record.embed.images'],
    [images(1, { size: 1_000_001 }), `blob too big (maximum 1000000, got 1000001) at ${image}`],
    [images(1, { mimeType: 'text/plain' }), `Expected "image/*" (got "text/plain") at ${image}.mimeType`],
    [images(1, {}), 'Could not find blob: bafkreiaaa'],
  ]
  for (const [record, wording] of refused) expect(await refusal(record)).toBe(wording)
  expect(await refusal({}, 'my-key')).toContain('Invalid TID string')
  expect(await refusal({ text: '👨‍👩‍👧'.repeat(150) })).toBeUndefined()
  const other = (await login(secondAccount.handle, secondAccount.appPassword)).body
  expect((await put(other.accessJwt, {})).status).toBe(401)
})

test('Bluesky: handles resolve, profiles are returned, and rate limit headers are included', async () => {
  const { accessJwt: token } = await loginDemo()
  const resolve = (handle: string) => read('com.atproto.identity.resolveHandle', { handle })
  expect((await resolve(mentionable.handle)).body).toEqual({ did: mentionable.did })
  expect(mentionable.did).toMatch(/^did:plc:[a-z2-7]{24}$/)
  expect((await resolve('nobody.bsky.test')).headers.get('ratelimit-policy')).toBe('3000;w=300')
  const { body } = await read('app.bsky.actor.getProfile', { actor: account.did }, token)
  const avatar = expect.stringContaining(`/face/${account.did}`)
  expect(body).toEqual({ did: account.did, handle: account.handle, displayName: 'Demo', avatar })
})

test('Discord: a nonce is unique within five minutes', async () => {
  const message = { content: 'Hi', nonce: 'n'.repeat(25), enforce_nonce: true, allowed_mentions: { parse: [] } }
  const { id } = (await sendMessage(message)).body
  expect((BigInt(id) >> 22n) + 1_420_070_400_000n).toBe(BigInt(now))
  expect((await sendMessage(message)).body).toMatchObject({
    id,
    content: 'Hi',
    nonce: message.nonce,
    author: { id: bot.id },
  })
  const url = `https://discord.com/channels/${guild.id}/${channelId('general')}/${id}`
  expect(platforms.published()).toMatchObject([{ account: 'Demo Server #general', url }])
  now += 5 * 60_000
  const second = await sendMessage(message)
  expect(BigInt(second.body.id)).toBeGreaterThan(BigInt(id))
  const history = (await request(`${messagesOf('general')}?limit=50`, { headers: asBot })).body
  expect(history).toMatchObject([{ id: second.body.id }, { id }])
  const remove = () => request(`${messagesOf('general')}/${id}`, { method: 'DELETE', headers: asBot })
  expect([await remove(), await remove()]).toMatchObject([{ status: 204 }, { body: { code: 10008 } }])
})

test('Discord: files arrive with the message and must match its attachments', async () => {
  const attachments = [
    { id: 0, filename: 'a.png', description: 'a dot' },
    { id: '1', filename: 'b ü.png' },
  ]
  const sent = (await postWithFiles({ attachments }, [dot, dot])).body.attachments
  expect(sent).toMatchObject([{ description: 'a dot', size: png.length }, { filename: 'b ü.png' }])
  expect(await (await fetch(sent[1].url)).bytes()).toEqual(new Uint8Array(png))
  expect(platforms.published()[0]?.media).toHaveLength(2)
  expect((await postWithFiles({ attachments }, [dot])).body.errors.attachments['1'].id._errors).toHaveLength(1)
  expect((await postWithFiles({ attachments: [] }, [dot])).body.code).toBe(50035)
  expect((await postWithFiles({}, Array(11).fill(dot))).text).toContain('Must be 10 or fewer in length.')
  const mebibytes = (count: number) => new Blob([Buffer.alloc(count * 1024 * 1024 + 1)])
  expect((await postWithFiles({}, [mebibytes(10)])).body.code).toBe(40005)
  expect((await postWithFiles({}, [9, 9, 7].map(mebibytes))).status).toBe(413)
})

test('Discord: rejects unknown bots, inaccessible channels, and invalid bodies', async () => {
  const me = (headers: object) => request(`${discord}/api/v10/users/@me`, { headers: { ...asBot, ...headers } })
  expect([(await me({ 'user-agent': 'node' })).status, (await me({ authorization: 'Bot no' })).status]).toEqual([
    403, 401,
  ])
  const { errors } = (await sendMessage({ content: 'x'.repeat(2001), nonce: 'n'.repeat(26) })).body
  const tooLong = (max: number) => [{ code: 'BASE_TYPE_MAX_LENGTH', message: `Must be ${max} or fewer in length.` }]
  expect(errors).toEqual({ content: { _errors: tooLong(2000) }, nonce: { _errors: tooLong(25) } })
  expect((await sendMessage({ content: ' ' })).body.code).toBe(50006)
  for (const [channel, refusal] of Object.entries({ rules: 50013, staff: 50001, nowhere: 10003, Community: 50024 })) {
    expect((await sendMessage({ content: 'x' }, channel)).body.code).toBe(refusal)
  }
  expect(platforms.published()).toEqual([])
})

test('Discord: the bot leaves and joins with a code that works once', async () => {
  const callAsBot = (path: string, method = 'GET') => request(`${discord}/api/v10${path}`, { method, headers: asBot })
  expect((await callAsBot(`/guilds/${guild.id}/channels`)).body[3]).toMatchObject({ type: 5, nsfw: false, position: 3 })
  expect((await callAsBot(`/users/@me/guilds/${guild.id}`, 'DELETE')).status).toBe(204)
  expect((await callAsBot(`/guilds/${guild.id}`)).body.code).toBe(10004)
  const redirect_uri = 'http://127.0.0.1:1/callback'
  const query = { client_id: clientId, response_type: 'code', redirect_uri, state: '"><s>', scope: 'bot identify' }
  const page = `${discord}/oauth2/authorize?${new URLSearchParams(query)}`
  expect((await request(page)).text).not.toContain('"><s>')
  const press = async (answer: string) => {
    const { headers } = await request(page, { method: 'POST', body: new URLSearchParams({ answer }) })
    return new URL(headers.get('location') ?? '').searchParams
  }
  expect((await press('deny')).get('error')).toBe('access_denied')
  const granted = Object.fromEntries(await press('allow'))
  expect(granted).toMatchObject({ state: '"><s>', guild_id: guild.id, permissions: '0' })
  const headers = { authorization: `Basic ${btoa(`${clientId}:${discordSeed.clientSecret}`)}` }
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: granted['code'] ?? '', redirect_uri })
  const exchange = () => request(`${discord}/api/oauth2/token`, { method: 'POST', headers, body })
  expect((await post(`${discord}/api/oauth2/token`, Object.fromEntries(body), headers)).status).toBe(400)
  const [first, second] = [await exchange(), await exchange()]
  expect([first.body.guild.id, second.body.error]).toEqual([guild.id, 'invalid_grant'])
  expect((await callAsBot(`/guilds/${guild.id}`)).body.name).toBe(guild.name)
})

test('fault scripts fail the next requests in order, before or after the effect; invalid ones are explained', async () => {
  const broken = (fault: string, more = {}) => ({ platform: 'discord', operation: 'create', times: 1, fault, ...more })
  const plan = (scripts: unknown) => post(`${platforms.url}/faults`, scripts)
  const faults = [
    [broken('status', { status: 502 }), 502, 0],
    [broken('status', { status: 502, landed: true }), 502, 1],
    [broken('html_503'), 503, 1],
    [broken('token_revoked'), 401, 1],
    [broken('reset_before'), 'ECONNRESET', 1],
    [broken('reset_after'), 'ECONNRESET', 1],
    [broken('landed_then_reset'), 'ECONNRESET', 2],
    [broken('wrong_json'), 200, 3],
    [broken('truncated_json'), 'SyntaxError', 4],
    [broken('slow', { delayMs: 1 }), 200, 5],
  ] as const
  expect((await plan(faults.map(([script]) => script))).body).toHaveLength(faults.length)
  for (const [{ fault }, expected, count] of faults) {
    const sent = sendMessage({ content: 'x' }).then((answer) => answer.status)
    const outcome = await sent.catch((error) => error.cause?.code ?? error.name)
    expect([fault, outcome, platforms.published().length]).toEqual([fault, expected, count])
  }
  expect(platforms.calls().map((call) => call.status)).toEqual([502, 502, 503, 401, 0, 0, 0, 200, 200, 200])
  await plan(broken('hang'))
  const hanging = request(messagesOf('general'), { method: 'POST', headers: asBot, signal: AbortSignal.timeout(50) })
  await expect(hanging).rejects.toThrow('timeout')
  expect([(await sendMessage({ content: 'x' })).status, platforms.faults.pending()]).toEqual([200, []])
  expect((await plan({ ...broken('status'), platform: 'myspace' })).text).toContain('there are: bluesky, discord')
  expect((await plan({ ...broken('status'), operation: 'yodel' })).text).toContain('it has: me, guild')
  expect((await plan({ ...broken('status'), time: 3 })).text).toContain('time')
  expect((await plan([broken('status'), broken('explode')])).status).toBe(400)
  expect((await request(`${platforms.url}/faults`)).body).toEqual([])
})

test('a rate limit has the format of its platform; the page shows faults and posts without executing them', async () => {
  platforms.faults.add([{ platform: 'discord', times: 1, fault: 'rate_limited', retryAfterSeconds: 64.57 }])
  expect((await request(platforms.url)).text).toContain('discord *: rate_limited')
  const { headers, body } = await sendMessage({ content: 'x' })
  expect(body).toEqual({ message: 'You are being rate limited.', retry_after: 64.57, global: false })
  expect([headers.get('retry-after'), headers.get('x-ratelimit-remaining')]).toEqual(['65', '0'])
  await sendMessage({ content: '<script>alert(1)</script>' })
  const page = await request(platforms.url)
  expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-[^']+'; script-/)
})

test('acknowledged writes survive a killed process', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'platforms-'))
  const code = `const { startPlatforms } = await import('${new URL('../platforms/start.ts', import.meta.url)}')
    console.log((await startPlatforms({ clock: Date, folder: ${JSON.stringify(folder)} })).urls.discord)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [origin] = await once(child.stdout, 'data')
  await postWithFiles({ content: 'kept' }, [dot], String(origin).trim())
  child.kill('SIGKILL')
  await once(child, 'exit')
  const again = await startPlatforms({ clock: { now: () => now }, folder })
  const [published] = again.published()
  expect([published?.text, (await fetch(published?.media[0] ?? '')).status]).toEqual(['kept', 200])
  await again.close().then(() => rmSync(folder, { recursive: true }))
})

test('multipart: parses the body of a real client in full and rejects a truncated one', async () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[%\r\n]/.test(text))
  const tricky = fc.constantFrom('\r\n', '\r\n--', '----', '\r\n\r\n').map((text) => Buffer.from(text))
  const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }).map(Buffer.from), tricky)
  const files = fc.array(fc.record({ name, filename: name, bytes }), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(files, fc.nat(), async (sent, cut) => {
      const form = new FormData()
      for (const file of sent) form.append(file.name, new Blob([new Uint8Array(file.bytes)]), file.filename)
      const encoded = new Response(form)
      const type = encoded.headers.get('content-type') ?? ''
      const body = Buffer.from(await encoded.bytes())
      expect(parseMultipart(type, body)).toMatchObject(sent)
      expect(() => parseMultipart(type, body.subarray(0, cut % (body.length - 4)))).toThrow(MultipartError)
    }),
  )
})
