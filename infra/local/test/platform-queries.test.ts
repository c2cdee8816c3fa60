import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { png } from '../../../test/media/files.ts'
import { write } from '../platforms/nostr/event.ts'
import { nostrSeed } from '../platforms/nostr.ts'
import { pinterestSeed } from '../platforms/pinterest.ts'
import { slackSeed } from '../platforms/slack.ts'
import { startPlatforms } from '../platforms/start.ts'
import { wordpressSeed } from '../platforms/wordpress.ts'
import { approve, basic, bearer, form, json, redirect_uri, sendRequest } from './requests.ts'

// What documents describe is taken in each form that they describe; what they do not is refused.

const now = Date.UTC(2026, 10, 21, 12)
const platforms = await startPlatforms({ clock: { now: () => now } })
beforeEach(() => platforms.reset())
afterAll(() => platforms.close())

const at = (platform: string, path: string) => `${platforms.urls[platform]}${path}`

test('Pinterest: a Pin by its id, and changes of single fields', async () => {
  const scope = 'boards:read,pins:read,pins:write'
  const code = await approve(at('pinterest', '/oauth/'), { client_id: pinterestSeed.app.clientId, scope, state: 's' })
  const body = form({ grant_type: 'authorization_code', code, redirect_uri })
  const login = { method: 'POST', headers: basic(pinterestSeed.app), body }
  const headers = bearer((await sendRequest(at('pinterest', '/v5/oauth/token'), login)).body.access_token)
  const send = (method: string, path: string, sent: object) => {
    const { headers: type, body: text } = json(sent)
    return sendRequest(at('pinterest', `/v5${path}`), { method, headers: { ...headers, ...type }, body: text })
  }
  const [board, other] = pinterestSeed.boards
  const media_source = {
    source_type: 'image_base64',
    content_type: 'image/png',
    data: png(200, 300).toString('base64'),
  }
  const made = await send('POST', '/pins', {
    board_id: board.id,
    title: 'A loaf',
    link: 'https://a.test/',
    media_source,
  })
  const path = `/pins/${made.body.id}`
  const read = async () => (await sendRequest(at('pinterest', `/v5${path}`), { headers })).body
  expect(await read()).toEqual(made.body)
  expect(await send('PATCH', path, { title: 'Two loaves' })).toMatchObject({ status: 200 })
  expect(await send('PATCH', path, { alt_text: 'Bread', board_id: other.id })).toMatchObject({ status: 200 })
  const changed = { title: 'Two loaves', link: 'https://a.test/', alt_text: 'Bread', board_id: other.id }
  expect(await read()).toMatchObject(changed)
  expect(await send('PATCH', path, { colour: 'red' })).toMatchObject({ status: 400 })
  expect(await send('PATCH', path, { board_id: pinterestSeed.boards[4].id })).toMatchObject({ status: 403 })
  expect(await read()).toMatchObject(changed)
  expect(await sendRequest(at('pinterest', '/v5/pins/1'), { headers })).toMatchObject({ status: 404 })
})

test('Slack: an app in the form, a token in the form, reading by GET, and changes with metadata', async () => {
  const { clientId: client_id, clientSecret: client_secret } = slackSeed.app
  const scope = 'chat:write,channels:read,channels:history'
  const login = async (secret: string) => {
    const code = await approve(at('slack', '/oauth/v2/authorize'), { client_id, scope, state: 's' })
    const body = form({ code, redirect_uri, client_id, client_secret: secret })
    return (await sendRequest(at('slack', '/api/oauth.v2.access'), { method: 'POST', body })).body
  }
  expect(await login('wrong')).toEqual({ ok: false, error: 'bad_client_secret' })
  const { access_token: token } = await login(client_secret)
  const headers = bearer(token)
  const send = async (method: string, fields: Record<string, string>, more = {}) =>
    (await sendRequest(at('slack', `/api/${method}`), { method: 'POST', body: form(fields), headers: more })).body
  const [{ id: channel }] = slackSeed.channels
  const posted = await send('chat.postMessage', { token, channel, text: 'Hi', unfurl_links: '0' })
  expect(posted).toMatchObject({ ok: true, message: { text: 'Hi' } })
  expect(await send('chat.postMessage', { token: 'none', channel, text: 'Hi' })).toMatchObject({
    error: 'invalid_auth',
  })
  expect(await send('chat.postMessage', { channel, text: 'Hi' })).toMatchObject({ error: 'not_authed' })
  const metadata = { event_type: 'post', event_payload: { id: '1' } }
  const change = { channel, ts: posted.ts, text: 'Bye', metadata: JSON.stringify(metadata), link_names: '1' }
  expect(await send('chat.update', change, headers)).toMatchObject({ ok: true })
  expect(await send('chat.update', { ...change, link_names: '2' }, headers)).toMatchObject({ ok: false })
  const read = async (method: string, query: Record<string, string>) =>
    (await sendRequest(at('slack', `/api/${method}?${form(query)}`), { headers })).body
  const history = await read('conversations.history', { channel, include_all_metadata: '1', limit: '5' })
  expect(history.messages).toMatchObject([{ text: 'Bye', metadata }])
  const bare = await read('conversations.history', { channel })
  expect(bare.messages[0]).not.toHaveProperty('metadata')
  expect(await read('conversations.info', { channel })).toMatchObject({ channel: { id: channel } })
  expect(await read('chat.getPermalink', { channel, message_ts: posted.ts })).toMatchObject({ ok: true })
  expect(await read('chat.postMessage', { channel, text: 'Hi' })).toEqual({ ok: false, error: 'unknown_method' })
})

/** The frames that a relay answers, until one of these kinds. */
async function exchange(frame: readonly unknown[], last: readonly string[]) {
  const socket = new WebSocket(at('nostr', '/').replace('http', 'ws'))
  onTestFinished(() => socket.terminate())
  const frames: unknown[][] = []
  await new Promise<void>((resolve, reject) => {
    socket.on('open', () => socket.send(JSON.stringify(frame)))
    socket.on('error', reject)
    socket.on('message', (message) => {
      const posted = JSON.parse(String(message))
      if (posted[0] !== 'AUTH') frames.push(posted)
      if (last.includes(posted[0])) resolve()
    })
  })
  return frames
}

test('Nostr: filters by tags, counts, and what a relay says of itself', async () => {
  const [person] = nostrSeed.people
  const { publicKey } = person
  platforms.crowd('nostr', publicKey, 2)
  const created_at = Math.floor(now / 1000)
  const tagged = write(person, { kind: 1, created_at, content: 'Bread', tags: [['t', 'bread', 'more']] })
  expect(await exchange(['EVENT', tagged], ['OK'])).toEqual([['OK', tagged.id, true, '']])
  const request = (filter: object) => exchange(['REQ', 'a', { kinds: [1], ...filter }], ['EOSE', 'CLOSED'])
  expect(await request({ authors: [publicKey] })).toHaveLength(4)
  expect(await request({ '#t': ['rye', 'bread'] })).toEqual([
    ['EVENT', 'a', tagged],
    ['EOSE', 'a'],
  ])
  expect(await request({ '#t': ['more'] })).toEqual([['EOSE', 'a']])
  expect(await request({ '#e': ['bread'] })).toEqual([['EOSE', 'a']])
  expect(await request({ colour: ['red'] })).toMatchObject([['CLOSED', 'a', expect.stringMatching(/^unsupported/)]])
  expect(await request({ '#tag': ['bread'] })).toMatchObject([['CLOSED', 'a', expect.any(String)]])
  expect(await exchange(['COUNT', 'b', { kinds: [1] }, { authors: [publicKey], kinds: [1] }], ['COUNT'])).toEqual([
    ['COUNT', 'b', { count: 3 }],
  ])
  const accept = 'application/nostr+json'
  const about = await sendRequest(at('nostr', '/any/path'), { headers: { accept } })
  expect(about).toMatchObject({ status: 200, type: accept, body: { supported_nips: [1, 9, 11, 42, 45] } })
  expect(about.headers.get('access-control-allow-origin')).toBe('*')
})

test('WordPress: discovery, each method that changes, lengths of lists, whole posts, and deletion for good', async () => {
  const [{ username, applicationPassword }] = wordpressSeed.users
  const headers = basic({ clientId: username, clientSecret: applicationPassword })
  for (const method of ['GET', 'HEAD']) {
    const home = await sendRequest(at('wordpress', '/blog/'), { method })
    expect(home.headers.get('link')).toBe(`<${at('wordpress', '/blog/wp-json/')}>; rel="https://api.w.org/"`)
  }
  const call = (method: string, path: string, sent?: object) => {
    const { headers: type, body } = json(sent ?? {})
    const init = sent === undefined ? { method, headers } : { method, headers: { ...headers, ...type }, body }
    return sendRequest(at('wordpress', `/wp-json/wp/v2${path}`), init)
  }
  const { body: post } = await call('POST', '/posts/', { title: 'A title', content: '<p>Hi</p>', status: 'publish' })
  expect(post).toMatchObject({ type: 'post', title: { raw: 'A title', rendered: 'A title' }, sticky: false, author: 2 })
  const path = `/posts/${post.id}`
  for (const method of ['PUT', 'PATCH']) {
    expect(await call(method, path, { title: method })).toMatchObject({ status: 200, body: { title: { raw: method } } })
  }
  await call('POST', '/posts', { content: 'Second', status: 'publish' })
  const list = await call('GET', '/posts?per_page=1')
  expect(list.body).toMatchObject([{ content: { rendered: 'Second' } }])
  expect(list.body[0].content).not.toHaveProperty('raw')
  expect([list.headers.get('x-wp-total'), list.headers.get('x-wp-totalpages')]).toEqual(['2', '2'])
  expect((await call('GET', '/posts?per_page=1&page=2&_fields=id,title.rendered')).body).toEqual([
    { id: post.id, title: { rendered: 'PATCH' } },
  ])
  expect(await call('GET', '/posts?per_page=101')).toMatchObject({ status: 400 })
  const read = (query = '', init = {}) => sendRequest(at('wordpress', `/wp-json/wp/v2${path}${query}`), init)
  expect((await read()).body.title).toEqual({ rendered: 'PATCH' })
  expect(await read('?context=edit')).toMatchObject({ status: 401 })
  expect(await read('?context=edit', { headers })).toMatchObject({ body: { title: { raw: 'PATCH' } } })
  expect(await call('DELETE', path)).toMatchObject({ status: 200, body: { status: 'trash' } })
  expect(await call('DELETE', path)).toMatchObject({ status: 410 })
  expect(await call('DELETE', `${path}?force=true`)).toMatchObject({
    body: { deleted: true, previous: { id: post.id } },
  })
  expect(await call('GET', path)).toMatchObject({ status: 404 })
})
