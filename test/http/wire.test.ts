import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorPlan } from '../support/operator-plan.ts'
import { type Kit, start } from '../support/start.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const send = async (method: string, path: string, init: RequestInit = {}, session = false) => {
  const headers = {
    Authorization: `Bearer ${session ? kit.sessionToken : kit.pat}`,
    'X-Workspace-Id': kit.workspaceId,
    ...init.headers,
  }
  const answer = await fetch(`${kit.url}${path}`, { ...init, method, headers })
  const text = await answer.text()
  const isJson = answer.headers.get('Content-Type')?.startsWith('application/json') === true && text !== ''
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

const draft = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
  send('POST', '/api/drafts', { body, headers: { 'Content-Type': 'application/json', ...headers } })
const hello = JSON.stringify({ content: 'Grüße' })

test('a 401 says how to authenticate and whether the token is invalid', async () => {
  const bare = await fetch(`${kit.url}/api/posts`)
  expect([bare.status, bare.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer'])
  const wrong = await send('GET', '/api/posts', { headers: { Authorization: 'Bearer svc_pat_no_no' } })
  expect([wrong.status, wrong.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
})

test.each([
  ['limit', '/api/posts?limit=1&limit=2'],
  ['status', '/api/posts?status=failed&status=scheduled'],
  ['collectionId', '/api/memory?collectionId=a&collectionId=b'],
])('rejects a repeated query parameter instead of using its last value: %s', async (name, path) => {
  const { status, body } = await send('GET', path)
  expect({ status, body }).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_input',
      field: name,
      error: `"${name}" appears more than once in the query. Send it once.`,
    },
  })
})

test('rejects invalid UTF-8 instead of storing replacement characters', async () => {
  const broken = Buffer.concat([Buffer.from('{"content":"a'), Buffer.from([0xff, 0xfe]), Buffer.from('b"}')])
  expect(await draft(broken)).toMatchObject({
    status: 400,
    body: { code: 'invalid_json', error: expect.stringContaining('not valid UTF-8') },
  })
  const meant = await draft('{"content":"a\\ufffdb"}')
  expect(meant).toMatchObject({ status: 201, body: { data: { content: 'a\uFFFDb' } } })
})

test('rejects a body in another charset with an explanation', async () => {
  const headers = { 'Content-Type': 'application/json; charset=UTF-16' }
  expect(await draft(Buffer.from(hello, 'utf16le'), headers)).toMatchObject({
    status: 400,
    body: { code: 'unsupported_charset', field: 'Content-Type', error: expect.stringContaining('"UTF-16"') },
  })
  expect((await draft(hello, { 'Content-Type': 'application/json; charset="utf-8"' })).status).toBe(201)
})

test('ignores a byte order mark before the JSON', async () => {
  expect(await draft(`\uFEFF${hello}`)).toMatchObject({ status: 201, body: { data: { content: 'Grüße' } } })
})

test('reads a gzip body, rejects other encodings, and rejects a decompression bomb as too large', async () => {
  const zipped = await draft(gzipSync(hello), { 'Content-Encoding': 'gzip' })
  expect(zipped).toMatchObject({ status: 201, body: { data: { content: 'Grüße' } } })
  expect(await draft(Buffer.from([1, 2, 3]), { 'Content-Encoding': 'br' })).toMatchObject({
    status: 400,
    body: { code: 'unsupported_encoding', field: 'Content-Encoding' },
  })
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
  expect(await draft(bomb, { 'Content-Encoding': 'gzip' })).toMatchObject({
    status: 413,
    body: { code: 'body_too_large' },
  })
})

test('HEAD returns the headers of GET without the body', async () => {
  for (const path of ['/api/posts', '/api/workspaces', '/api/openapi.json', '/login']) {
    const get = await send('GET', path)
    const head = await send('HEAD', path)
    expect([path, head.status, head.text]).toEqual([path, get.status, ''])
    expect(head.headers.get('Content-Type')).toBe(get.headers.get('Content-Type'))
  }
  expect((await send('HEAD', '/api/posts/none')).status).toBe(404)
  const page = await send('HEAD', '/api/posts/validate')
  expect([page.status, page.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS'])
  // What a GET by anybody changes, a look ahead of it must not.
  const { status, headers } = await send('HEAD', '/api/auth/verify-email?token=x')
  expect([status, headers.get('Allow')]).toEqual([405, 'GET, OPTIONS'])
})

test('a path with a slash at its end is served as the one without it', async () => {
  const { body } = await draft(hello)
  const draftId = body.data.id
  for (const path of ['/api/drafts', `/api/drafts/${draftId}`]) {
    const [plain, slashed] = [await send('GET', path), await send('GET', `${path}/`)]
    expect([slashed.status, slashed.body]).toEqual([200, plain.body])
  }
  expect((await send('GET', '/api/drafts/?limit=0')).body).toMatchObject({ code: 'invalid_input', field: 'limit' })
  const { status, headers } = await send('PUT', '/api/drafts/')
  expect([status, headers.get('Allow')]).toEqual([405, 'POST, GET, HEAD, OPTIONS'])
  expect((await send('GET', '/api/drafts//')).status).toBe(404)
  expect((await send('GET', '/api/nothing')).body.error).toBe(
    'No route has this path. Check its spelling. GET /api/docs lists all paths.',
  )
})

test('a conditional request with the current state returns 304', async () => {
  const { body, headers } = await draft(hello)
  const etag = headers.get('ETag') ?? ''
  const path = `/api/drafts/${body.data.id}`
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = await send('GET', path, { headers: { 'If-None-Match': known } })
    expect([known, answer.status, answer.text, answer.headers.get('ETag')]).toEqual([known, 304, '', etag])
  }
  expect((await send('GET', path, { headers: { 'If-None-Match': '"none"' } })).status).toBe(200)
  const document = await send('GET', '/api/openapi.json')
  const again = { headers: { 'If-None-Match': document.headers.get('ETag') ?? '' } }
  expect((await send('GET', '/api/openapi.json', again)).status).toBe(304)
})

test('any page can read the OpenAPI document', async () => {
  expect((await send('GET', '/api/openapi.json')).headers.get('Access-Control-Allow-Origin')).toBe('*')
})

test('compresses long responses for clients that accept it, not short ones', async () => {
  const encoding = async (path: string, accepts: string) =>
    (await send('GET', path, { headers: { 'Accept-Encoding': accepts } })).headers.get('Content-Encoding')
  expect(await encoding('/api/openapi.json', 'gzip')).toBe('gzip')
  expect(await encoding('/api/openapi.json', 'identity')).toBeNull()
  expect(await encoding('/api/openapi.json', 'gzip;q=0')).toBeNull()
  expect(await encoding('/api/health', 'gzip')).toBeNull()
})

const large = JSON.stringify({ content: 'x'.repeat(1024 * 1024) })
test.each([
  [
    'a webhook endpoint that is not there',
    'GET',
    '/api/webhooks/whe_none',
    undefined,
    {},
    404,
    'webhook_endpoint_not_found',
  ],
  ['a body just above 1 MiB', 'POST', '/api/drafts', large, {}, 413, 'body_too_large'],
  [
    'an Idempotency-Key that is too long',
    'POST',
    '/api/drafts',
    hello,
    { 'Idempotency-Key': 'k'.repeat(256) },
    400,
    'invalid_input',
  ],
  [
    'a cursor together with an offset',
    'GET',
    '/api/posts?cursor=01KAJ3V9Q6M0T4W2Y8Z5X7C1B300&offset=1',
    undefined,
    {},
    400,
    'invalid_input',
  ],
] as const)('%s has a code', async (_, method, path, body, more, status, code) => {
  const headers = { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...more }
  const answer = await send(
    method,
    path,
    { headers, ...(body === undefined ? {} : { body }) },
    path.includes('webhooks'),
  )
  expect(answer).toMatchObject({ status, body: { success: false, code } })
})

test('an upload URL comes with its method and headers', async () => {
  const bytes = Buffer.from('GIF89a')
  const file = { filename: 'a.gif', mimeType: 'image/gif', fileSize: bytes.length } as const
  const { uploadUrl, method, headers } = await kit.api.media.createUploadUrl({ body: file })
  expect({ method, headers }).toEqual({ method: 'PUT', headers: { 'Content-Type': 'image/gif' } })
  expect((await fetch(uploadUrl, { method, headers, body: bytes })).status).toBe(200)
})

test('an unpaid workspace gets an error with a billing URL that leads to a page', async () => {
  await operatorPlan(kit, { status: 'inactive', planName: 'none', hasAccess: false })
  const [workspace] = await kit.api.workspaces.list()
  const { slug = '', subscription } = workspace ?? {}
  const billingUrl = `${kit.url}/billing?workspace=${slug}`
  expect(subscription).toEqual({
    status: 'inactive',
    planName: 'none',
    hasAccess: false,
    accessMessage: 'This workspace has no active plan. Choose one to continue.',
    billingUrl,
    cancelAtPeriodEnd: false,
    currentPeriodEnd: null,
  })
  const refused = await send('GET', '/api/posts')
  expect(refused).toMatchObject({
    status: 402,
    body: {
      code: 'subscription_required',
      httpStatus: 402,
      billingUrl,
      workspaceSlug: slug,
      subscriptionStatus: 'inactive',
    },
  })
  const page = await fetch(billingUrl)
  expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain(`The workspace <strong>${slug}</strong> needs an active plan`)
  expect(await (await fetch(`${kit.url}/billing?workspace=%3Cscript%3E`)).text()).toContain('&lt;script&gt;')
})
