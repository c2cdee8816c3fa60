import { createHash } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { discordSeed } from '../platforms/discord.ts'
import { linkedinSeed } from '../platforms/linkedin.ts'
import { redditSeed } from '../platforms/reddit.ts'
import { startPlatforms } from '../platforms/start.ts'
import { xSeed } from '../platforms/x/seed.ts'
import { youtubeSeed } from '../platforms/youtube.ts'
import { approve, basic, bearer, form, json, redirect_uri, sendRequest } from './requests.ts'

// What documents describe is taken in each form that they describe; what they do not is refused.

let now = Date.UTC(2026, 10, 21, 12)
const platforms = await startPlatforms({ clock: { now: () => now } })
beforeEach(() => platforms.reset())
afterAll(() => platforms.close())

const at = (platform: string, path: string) => `${platforms.urls[platform]}${path}`
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

const tokenIn = (body: unknown) => z.parse(z.object({ access_token: z.string() }), body).access_token
const { clientId } = xSeed.app

const exchange = { grant_type: 'authorization_code', redirect_uri, code_verifier: verifier }

test('X: challenges by either method in either case, and tokens by a form or JSON', async () => {
  const page = at('x', '/i/oauth2/authorize')
  const hash = createHash('sha256').update(verifier).digest('base64url')
  const login = async (code_challenge: string, code_challenge_method: string) => {
    const scope = 'tweet.read tweet.write users.read'
    const query = { client_id: clientId, scope, state: 's', code_challenge, code_challenge_method }
    const code = await approve(page, query)
    const { headers, body } = json({ ...exchange, code })
    const sent = { method: 'POST', headers: { ...headers, ...basic(xSeed.app) }, body }
    return sendRequest(at('x', '/2/oauth2/token'), sent)
  }
  for (const method of ['S256', 's256']) expect(await login(hash, method)).toMatchObject({ status: 200 })
  const { body } = await login(verifier, 'plain')
  expect(body).toMatchObject({ access_token: expect.any(String) })
  expect(body.refresh_token).toBeUndefined()
  expect(await login(hash, 'plain')).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const unknown = { client_id: clientId, scope: 'tweet.read', code_challenge: hash, code_challenge_method: 'S512' }
  expect(await approve(page, unknown)).toMatch(/^400 code_challenge/)
  expect(await approve(page, { client_id: clientId, scope: 'tweet.read' })).toMatch(/^400 code_challenge/)
})

test('X: posts by their ids, with their authors, and an error for each that is not there', async () => {
  const query = { client_id: clientId, scope: 'tweet.read users.read' }
  const code = await approve(at('x', '/i/oauth2/authorize'), {
    ...query,
    code_challenge: verifier,
    code_challenge_method: 'plain',
  })
  const sent = { method: 'POST', headers: basic(xSeed.app), body: form({ ...exchange, code }) }
  const headers = bearer(tokenIn((await sendRequest(at('x', '/2/oauth2/token'), sent)).body))
  const [owner] = xSeed.people
  platforms.crowd('x', owner.id, 2)
  const read = async (path: string) => (await sendRequest(at('x', path), { headers })).body
  const { data } = await read(`/2/users/${owner.id}/tweets?max_results=5&expansions=author_id`)
  const ids = data.map(({ id }: { id: string }) => id)
  expect(await read(`/2/tweets/${ids[0]}?expansions=author_id`)).toEqual({
    data: { ...data[0], author_id: owner.id },
    includes: { users: [{ id: owner.id, name: owner.name, username: owner.username }] },
  })
  expect(await read(`/2/tweets/${ids[0]}`)).toMatchObject({ data: { id: ids[0] } })
  const some = await read(`/2/tweets?ids=${ids.join(',')},1&tweet.fields=created_at`)
  expect(some.data.map(({ id }: { id: string }) => id)).toEqual(ids)
  expect(some.errors).toMatchObject([{ resource_id: '1', parameter: 'ids', title: 'Not Found Error' }])
  expect(await read('/2/tweets/1')).toMatchObject({ errors: [{ resource_id: '1' }] })
  expect(await read('/2/tweets?ids=one')).toMatchObject({ status: 400 })
})

async function loginMastodon(scopes = 'read write') {
  const body = form({ client_name: 'A client', redirect_uris: redirect_uri, scopes })
  const app = (await sendRequest(at('mastodon', '/api/v1/apps'), { method: 'POST', body })).body
  const code = await approve(at('mastodon', '/oauth/authorize'), { client_id: app.client_id, scope: scopes })
  const authorization = { ...exchange, code }
  const headers = { ...basic({ clientId: app.client_id, clientSecret: app.client_secret }) }
  const token = await sendRequest(at('mastodon', '/oauth/token'), {
    method: 'POST',
    headers,
    body: form(authorization),
  })
  return bearer(tokenIn(token.body))
}

test('Mastodon: posts by forms of both kinds and by JSON, with booleans as forms have them', async () => {
  const headers = await loginMastodon()
  const post = (body: string | FormData | URLSearchParams, type = {}) =>
    sendRequest(at('mastodon', '/api/v1/statuses/'), { method: 'POST', headers: { ...headers, ...type }, body })
  const many = new FormData()
  many.set('status', 'In parts')
  many.set('sensitive', 'on')
  expect(await post(many)).toMatchObject({ status: 200, body: { sensitive: true, card: null } })
  expect(await post(form({ status: 'A form', sensitive: '0' }))).toMatchObject({ body: { sensitive: false } })
  const poll = form({ status: 'Which?', 'poll[expires_in]': '3600', 'poll[multiple]': 'true' })
  for (const option of ['Rye', 'Spelt']) poll.append('poll[options][]', option)
  const options = [{ title: 'Rye' }, { title: 'Spelt' }]
  expect(await post(poll)).toMatchObject({ status: 200, body: { poll: { multiple: true, options } } })
  const { headers: type, body } = json({ status: 'JSON', sensitive: true })
  expect(await post(body, type)).toMatchObject({ status: 200, body: { sensitive: true } })
  expect(await post(form({ status: 'A form', colour: 'red' }))).toMatchObject({ status: 422 })
  expect(await post(form({ status: 'A form', visibility: 'secret' }))).toMatchObject({ status: 422 })
})

test('Mastodon: a scheduled post is published when its time has come, and not before five minutes', async () => {
  const headers = await loginMastodon()
  const schedule = (minutes: number) => {
    const scheduled_at = new Date(now + minutes * 60_000).toISOString()
    const body = form({ status: `In ${minutes} minutes`, scheduled_at })
    const once = { ...headers, 'idempotency-key': `${minutes}` }
    return sendRequest(at('mastodon', '/api/v1/statuses'), { method: 'POST', headers: once, body })
  }
  const shown = () => platforms.published().map(({ text }) => text)
  expect(await schedule(4)).toMatchObject({ status: 422 })
  const first = await schedule(60)
  expect((await schedule(60)).body).toEqual(first.body)
  const second = await schedule(5)
  expect(second.body).toMatchObject({ params: { text: 'In 5 minutes', visibility: 'public' } })
  const waiting = () => sendRequest(at('mastodon', '/api/v1/scheduled_statuses'), { headers })
  expect((await waiting()).body).toMatchObject([{ id: first.body.id }, { id: second.body.id }])
  now += 299_000
  expect(shown()).toEqual([])
  now += 1000
  expect(shown()).toEqual(['In 5 minutes'])
  const url = at('mastodon', `/api/v1/scheduled_statuses/${first.body.id}`)
  expect(await sendRequest(url, { headers })).toMatchObject({ status: 200, body: { id: first.body.id } })
  expect(await sendRequest(url, { method: 'DELETE', headers })).toMatchObject({ status: 200 })
  expect((await waiting()).body).toEqual([])
  now += 3_600_000
  expect(shown()).toEqual(['In 5 minutes'])
})

test('Mastodon: a quote names its post, and the server describes itself in every version', async () => {
  const headers = await loginMastodon()
  const post = async (fields: Record<string, string>) =>
    (await sendRequest(at('mastodon', '/api/v1/statuses'), { method: 'POST', headers, body: form(fields) })).body
  const { id: quoted_status_id } = await post({ status: 'First' })
  const quote = await post({ status: 'Look', quoted_status_id, quote_approval_policy: 'followers' })
  expect(quote).toMatchObject({ quote: { state: 'accepted', quoted_status: { id: quoted_status_id } } })
  expect(quote.quote_approval).toMatchObject({ automatic: ['followers'] })
  expect(platforms.published().at(-1)?.extras).toMatchObject([expect.stringMatching(/^quotes https:/)])
  expect(await post({ status: 'Look', quoted_status_id: '1' })).toMatchObject({
    error: expect.stringContaining('to quote does not'),
  })
  const read = async (path: string) => (await sendRequest(at('mastodon', path))).body
  expect(await read('/api/v1/instance')).toMatchObject({ version: '4.5.0', uri: 'mastodon.test' })
  const { links } = await read('/.well-known/nodeinfo')
  expect((await sendRequest(links[0].href)).body).toMatchObject({ software: { name: 'mastodon', version: '4.5.0' } })
})

async function loginReddit(duration = 'permanent') {
  const query = { client_id: redditSeed.app.clientId, duration, scope: 'identity submit read', state: 's' }
  const code = await approve(at('reddit', '/api/v1/authorize'), query)
  const headers = { ...basic(redditSeed.app), 'user-agent': 'linux:my.app:v1 (by /u/somebody) a-library/2.0' }
  const body = form({ grant_type: 'authorization_code', code, redirect_uri })
  return sendRequest(at('reddit', '/api/v1/access_token'), { method: 'POST', headers, body })
}

test('Reddit: each User-Agent of its form, slashes at the end, and booleans in either case', async () => {
  expect((await loginReddit('temporary')).body.refresh_token).toBeUndefined()
  const token = tokenIn((await loginReddit()).body)
  const call = (path: string, agent: string, body?: URLSearchParams) =>
    sendRequest(at('reddit', path), {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...bearer(token), 'user-agent': agent },
      ...(body === undefined ? {} : { body }),
    })
  const agent = 'linux:my.app:v1 (by /u/somebody)'
  for (const bad of ['curl/8', 'my.app (by /u/somebody)', `${agent}x`, 'x linux:my.app:v1 (by /u/somebody)']) {
    expect(await call('/api/v1/me', bad)).toMatchObject({ status: 429 })
  }
  const fields = { api_type: 'json', kind: 'self', sr: 'test', title: 'A & B', text: '<x>', nsfw: 'False' }
  const made = await call('/api/submit/', agent, form({ ...fields, sendreplies: 'True' }))
  const { id } = made.body.json.data
  expect(await call('/api/submit', agent, form({ ...fields, nsfw: 'perhaps' }))).toMatchObject({ status: 400 })
  const [post, under] = (await call(`/comments/${id}/?raw_json=1`, agent)).body
  expect(post.data.children).toMatchObject([{ kind: 't3', data: { title: 'A & B', selftext: '<x>' } }])
  expect(under.data.children).toEqual([])
  // Texts are escaped unless the client requests raw JSON.
  const { body } = await call(`/api/info?id=t3_${id},t3_none`, agent)
  expect(body.data.children).toMatchObject([{ data: { title: 'A &amp; B', selftext: '&lt;x&gt;' } }])
  const comment = form({ api_type: 'json', thing_id: `t3_${id}`, text: 'Hi' })
  const redditComment = (await call('/api/comment', agent, comment)).body.json.data.things[0].data
  expect(redditComment).toMatchObject({ body: 'Hi', replies: '' })
  expect((await call(`/api/info?id=${redditComment.name}`, agent)).body.data.children).toMatchObject([{ kind: 't1' }])
  expect(await call('/comments/none', agent)).toMatchObject({ status: 404 })
  expect(await call('/r/test/about', agent)).toMatchObject({ body: { kind: 't5', data: { display_name: 'test' } } })
  expect(await call('/r/closed/about', agent)).toMatchObject({ status: 403 })
})

test('LinkedIn: scopes between commas, methods in either case, and what a token is good for', async () => {
  const app = { client_id: linkedinSeed.app.clientId, client_secret: linkedinSeed.app.clientSecret }
  const scope = 'openid,profile,w_member_social'
  const code = await approve(at('linkedin', '/oauth/v2/authorization'), { client_id: app.client_id, scope, state: 's' })
  const body = form({ grant_type: 'authorization_code', code, redirect_uri, ...app })
  const token = tokenIn((await sendRequest(at('linkedin', '/oauth/v2/accessToken'), { method: 'POST', body })).body)
  const introspect = async (more: Record<string, string>) =>
    (
      await sendRequest(at('linkedin', '/oauth/v2/introspectToken'), {
        method: 'POST',
        body: form({ ...app, ...more }),
      })
    ).body
  const times = { created_at: Math.floor(now / 1000), expires_at: Math.floor(now / 1000) + 5_184_000 }
  expect(await introspect({ token })).toMatchObject({ active: true, scope, ...times, client_id: app.client_id })
  expect(await introspect({ token: 'none' })).toMatchObject({ active: false })
  expect(await introspect({ token, client_secret: 'wrong' })).toEqual({
    error: 'invalid_client',
    error_description: 'Client authentication failed',
  })
  const headers = { ...bearer(token), 'linkedin-version': '202607', 'x-restli-protocol-version': '2.0.0' }
  const send = (path: string, sent: object, more = {}) => {
    const { headers: type, body } = json(sent)
    return sendRequest(at('linkedin', path), { method: 'POST', headers: { ...headers, ...type, ...more }, body })
  }
  const made = await send('/rest/posts', {
    author: `urn:li:person:${linkedinSeed.ada.id}`,
    commentary: 'Hello',
    visibility: 'PUBLIC',
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  })
  const path = `/rest/posts/${encodeURIComponent(made.headers.get('x-restli-id') ?? '')}`
  const patch = { patch: { $set: { commentary: 'Changed' } } }
  expect(await send(path, patch, { 'x-restli-method': 'partial_update' })).toMatchObject({ status: 204 })
  expect(platforms.published()).toMatchObject([{ text: 'Changed' }])
  expect(await send(path, patch, { 'x-restli-method': 'update' })).toMatchObject({ status: 404 })
})

async function loginYouTube(more: Record<string, string> = {}) {
  const app = { client_id: youtubeSeed.app.clientId, client_secret: youtubeSeed.app.clientSecret }
  const scope = 'https://www.googleapis.com/auth/youtube https://www.googleapis.com/auth/youtube.force-ssl'
  const code = await approve(at('youtube', '/o/oauth2/v2/auth'), { client_id: app.client_id, scope, ...more })
  const body = form({ grant_type: 'authorization_code', code, redirect_uri, ...app })
  return (await sendRequest(at('youtube', '/token'), { method: 'POST', body })).body
}

test('YouTube: refresh tokens on request, uploads without a range or a charset, and all parts of a video', async () => {
  const offline = { access_type: 'offline', prompt: 'consent' }
  expect(await loginYouTube(offline)).toMatchObject({ refresh_token: expect.any(String) })
  const login = await loginYouTube()
  expect(login.refresh_token).toBeUndefined()
  const headers = bearer(tokenIn(login))
  const open = (part: string) => {
    const about = { snippet: { title: 'A film', categoryId: '22' }, status: { privacyStatus: 'unlisted' } }
    const { headers: type, body } = json(about)
    const sized = { 'x-upload-content-length': '4', 'x-upload-content-type': 'video/mp4' }
    const query = `uploadType=resumable&part=${part}`
    const sent = { method: 'POST', headers: { ...headers, ...type, ...sized }, body }
    return sendRequest(at('youtube', `/upload/youtube/v3/videos?${query}`), sent)
  }
  expect(await open('snippet')).toMatchObject({ status: 400 })
  expect(await open('snippet,status,colour')).toMatchObject({ status: 400 })
  const session = (await open('status,snippet&part=id')).headers.get('location') ?? ''
  const put = (body: string) =>
    sendRequest(session, { method: 'PUT', headers: { ...headers, 'content-type': '' }, body })
  expect(await put('fil')).toMatchObject({ status: 400 })
  const { id } = (await put('film')).body
  const read = async (query: string) => (await sendRequest(at('youtube', `/youtube/v3/${query}`), { headers })).body
  const { items } = await read(`videos?part=snippet,status&part=processingDetails&id=${id},none`)
  expect(items).toEqual([
    {
      kind: 'youtube#video',
      id,
      status: { privacyStatus: 'unlisted', uploadStatus: 'uploaded' },
      processingDetails: { processingStatus: 'processing' },
      snippet: expect.objectContaining({ title: 'A film', channelTitle: youtubeSeed.demo.channel.title }),
    },
  ])
  expect((await read(`videos?part=id&id=${id}`)).items).toEqual([{ kind: 'youtube#video', id }])
  expect(await read(`videos?part=colour&id=${id}`)).toMatchObject({ error: { code: 400 } })
  const uploads = await read(`playlistItems?part=snippet&playlistId=${youtubeSeed.demo.channel.uploads}`)
  expect(uploads.items).toMatchObject([{ snippet: { resourceId: { videoId: id }, position: 0 } }])
})

test('Discord: JSON by the exact media type, and a channel, a message, and the app one by one', async () => {
  const headers = { authorization: `Bot ${discordSeed.botToken}`, 'user-agent': 'DiscordBot (https://a.test, 1)' }
  const read = (path: string) => sendRequest(at('discord', `/api/v10${path}`), { headers })
  const idOf = (name: string) => discordSeed.channels.find((channel) => channel.name === name)?.id
  const lounge = await read(`/channels/${idOf('Lounge')}`)
  expect(lounge).toMatchObject({ status: 200, type: 'application/json', body: { bitrate: 64_000, user_limit: 0 } })
  expect(await read(`/channels/${idOf('staff')}`)).toMatchObject({ status: 403, type: 'application/json' })
  expect(await read('/channels/1')).toMatchObject({ status: 404, body: { code: 10_003 } })
  expect(await read('/oauth2/applications/@me')).toMatchObject({ body: { id: discordSeed.clientId, bot_public: true } })
  const channel = idOf('general') ?? ''
  platforms.crowd('discord', channel, 1)
  const [message] = (await read(`/channels/${channel}/messages`)).body
  expect((await read(`/channels/${channel}/messages/${message.id}`)).body).toEqual(message)
  expect(await read(`/channels/${idOf('showcase')}/messages/${message.id}`)).toMatchObject({ status: 404 })
})
