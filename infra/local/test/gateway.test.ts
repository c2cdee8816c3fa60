import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startBuckets } from '../engines/buckets.ts'
import { openFront } from '../gateway/front.ts'
import { type GatewayOptions, serveGateway } from '../gateway.ts'
import { fileListeners } from '../media-host.ts'
import { listen } from '../pages/server.ts'
import type { ApiPlan, Integration } from '../template/api.ts'
import { functionNameIn } from '../template/arn.ts'

const uri = (name: string) =>
  `arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/arn:aws:lambda:us-east-1:0:function:${name}/invocations`
const credentials = 'arn:aws:iam::0:role/caller'
const runs = (name: string): Integration => ({ type: 'aws_proxy', uri: uri(name), credentials })
const respondWith = (status: number, headers: Record<string, string>, body: string): Integration => ({
  type: 'mock',
  passthroughBehavior: 'never',
  requestTemplates: { 'application/json': `{"statusCode": ${status}}` },
  responses: {
    default: {
      statusCode: String(status),
      responseParameters: headers,
      responseTemplates: { 'application/json': body },
    },
  },
})

const api: ApiPlan = {
  id: 'api',
  stageName: 'live',
  binaryTypes: [],
  minimumCompressionBytes: undefined,
  paths: [
    { path: '/{proxy+}', methods: new Map([['ANY', respondWith(404, {}, 'unknown path')]]) },
    {
      path: '/things/{id}',
      methods: new Map([
        ['GET', runs('one')],
        ['ANY', respondWith(405, { 'method.response.header.Allow': "'GET'" }, 'no')],
      ]),
    },
    { path: '/things/all', methods: new Map([['GET', runs('all')]]) },
  ],
  gatewayResponses: {
    DEFAULT_4XX: {
      responseParameters: { 'gatewayresponse.header.X-Request-Id': 'context.extendedRequestId' },
      responseTemplates: { 'application/json': 'refused' },
    },
    DEFAULT_5XX: { responseParameters: {}, responseTemplates: { 'application/json': 'broken' } },
    REQUEST_TOO_LARGE: {
      statusCode: '413',
      responseParameters: {},
      responseTemplates: { 'application/json': 'too large' },
    },
  },
}

let last: { arn: string; role: string; event: APIGatewayProxyEvent } | undefined
const lastEvent = () => last?.event
let result: unknown = { statusCode: 200 }
const reported: unknown[] = []
const listener = await listen(0)
const options: GatewayOptions = {
  api,
  clock: { now: () => 1_000 },
  report: (name, error) => void reported.push([name, error]),
  async invoke(arn, role, event) {
    last = { arn, role, event }
    if (result instanceof Error) throw result
    return result
  },
}
serveGateway(listener, options)
afterAll(() => listener.close())

const request = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${listener.url}${path}`, init)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('a literal path precedes a parameter, and a parameter precedes a wildcard', async () => {
  const reached = async (path: string) => {
    last = undefined
    const { status } = await request(path)
    return last ? functionNameIn((last as { arn: string }).arn) : status
  }
  expect(await reached('/things/all')).toBe('all')
  expect(await reached('/things/every')).toBe('one')
  expect(await reached('/things/')).toBe(404)
  expect(await reached('/things/all/more')).toBe(404)
})

test('the event is that of a REST API: decoded parameters and all values of repeated names', async () => {
  await request('/things/a%2Fb%20c?tag=1&tag=%C3%A4&one=', { headers: { 'X-Mixed': 'yes' } })
  expect(last?.event).toMatchObject({
    resource: '/things/{id}',
    path: '/things/a%2Fb%20c',
    pathParameters: { id: 'a/b c' },
    queryStringParameters: { tag: 'ä', one: '' },
    multiValueQueryStringParameters: { tag: ['1', 'ä'], one: [''] },
    body: null,
    isBase64Encoded: false,
    requestContext: { stage: 'live', requestTimeEpoch: 1_000 },
  })
  await request('/things/x')
  expect(last?.event.queryStringParameters).toBeNull()
})

test('the caller address is that of the connection, whatever the headers say', async () => {
  await request('/things/x', { headers: { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' } })
  expect(last?.event.requestContext.identity.sourceIp).toBe('127.0.0.1')
})

test('with a front, a trusted proxy names the caller, and a name of others is refused', async () => {
  const buckets = await startBuckets({ clock: Date, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } })
  const named = await listen(0)
  onTestFinished(async () => void (await Promise.all([named.close(), buckets.close()])))
  const baseUrl = 'https://social.bakery.test'
  const names = ['social.bakery.test']
  serveGateway(named, {
    ...options,
    baseUrl,
    front: openFront({ names, trustedProxies: ['127.0.0.1'] }, baseUrl),
    fileListener: fileListeners({ buckets, bucket: 'media', origin: baseUrl }),
  })
  const send = async (host: string, path = '/things/x') => {
    const socket = connect(Number(new URL(named.url).port), '127.0.0.1')
    socket.end(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n`)
    return text(socket)
  }
  for (const host of ['social.bakery.test', 'Social.Bakery.Test:443', 'localhost:3000', '127.0.0.1', '[::1]:3000']) {
    last = undefined
    expect(await send(host), host).toMatch(/^HTTP\/1\.1 200 /)
    expect(lastEvent()?.requestContext).toMatchObject({
      domainName: 'social.bakery.test',
      identity: { sourceIp: '203.0.113.9' },
    })
  }
  last = undefined
  for (const host of ['evil.test', 'social.bakery.test.evil.test', '127.0.0.1.evil.test', '']) {
    expect(await send(host), host).toMatch(/^HTTP\/1\.1 403 [\s\S]*Call https:\/\/social\.bakery\.test\./)
  }
  expect(last).toBeUndefined()
  // Files are at the same port, and are not the API's.
  expect(await send('social.bakery.test', '/media/nothing')).toMatch(/^HTTP\/1\.1 404 [\s\S]*sandbox/)
  expect(await send('social.bakery.test', '/incoming/secret')).toMatch(/^HTTP\/1\.1 404 [\s\S]*sandbox/)
})

test('header names arrive unchanged', async () => {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.end('GET /things/x HTTP/1.1\r\nHost: a\r\nX-MiXed: 1\r\nX-MiXed: 2\r\nConnection: close\r\n\r\n')
  await text(socket)
  expect(last?.event.headers['X-MiXed']).toBe('2')
  expect(last?.event.multiValueHeaders['X-MiXed']).toEqual(['1', '2'])
})

test('a response keeps repeated headers and bytes', async () => {
  result = {
    statusCode: 201,
    headers: { 'X-One': 1 },
    multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
    body: Buffer.from('ä').toString('base64'),
    isBase64Encoded: true,
  }
  const { status, headers, text: body } = await request('/things/x')
  expect([status, headers.get('X-One'), headers.getSetCookie(), body]).toEqual([201, '1', ['a=1', 'b=2'], 'ä'])
})

test.each([
  ['throws', new Error('secret')],
  ['answers nothing', undefined],
  ['answers no number', { statusCode: '200' }],
  ['answers an object as its body', { statusCode: 200, body: {} }],
  ['answers a member that is not known', { statusCode: 200, data: 1 }],
])('a function that %s results in 502 from the gateway', async (_title, given) => {
  result = given
  expect(await request('/things/x')).toMatchObject({ status: 502, text: 'broken' })
})

test('a crash is reported to the operator, not in the response', async () => {
  result = new Error('secret')
  reported.length = 0
  await request('/things/x')
  expect(reported).toEqual([['one', result]])
})

test('a mock integration answers with the headers of its mapping', async () => {
  const { status, headers, text: body } = await request('/things/x', { method: 'PUT' })
  expect([status, headers.get('Allow'), body]).toEqual([405, 'GET', 'no'])
})

test('a mock integration rejects an unknown content type, as API Gateway does', async () => {
  const init = { method: 'POST', body: 'x', headers: { 'Content-Type': 'application/odd' } }
  expect(await request('/elsewhere', init)).toMatchObject({ status: 415, text: 'refused' })
})

test('rejects a badly encoded parameter with the id of the request', async () => {
  const { status, headers } = await request('/things/%E0%A4%A')
  expect(status).toBe(400)
  expect(headers.get('X-Request-Id')).toMatch(/^[\w-]{15}=$/)
})

test('accepts a body of exactly 10 MB on any path', async () => {
  result = { statusCode: 200 }
  const body = Buffer.alloc(10 * 1024 * 1024, 'x')
  const send = (bytes: Buffer, path: string) =>
    request(path, { method: 'POST', body: new Uint8Array(bytes), headers: { 'Content-Type': 'application/json' } })
  expect((await send(body, '/elsewhere')).status).toBe(404)
  expect(await send(Buffer.concat([body, Buffer.from('x')]), '/elsewhere')).toMatchObject({
    status: 413,
    text: 'too large',
  })
})
