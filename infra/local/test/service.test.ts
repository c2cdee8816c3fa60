import { expect, test } from 'vitest'
import { ApiError, client } from '../../../functions/client.ts'
import { definitions } from '../../../shared/platforms/definitions.ts'
import { hourMs } from '../../../shared/time.ts'
import { Crash } from '../../../test/support/crash.ts'
import { start } from '../../../test/support/start.ts'

const generalChannel = '1300000000000000101'

test('gateway responses are in the envelope', async () => {
  const { api } = await start()
  const request = async (method: string, path: string, init: RequestInit = {}) => {
    const answer = await api.$raw(method, path, init)
    return { status: answer.status, allow: answer.headers.get('Allow'), text: await answer.text() }
  }
  const refused = (code: string) =>
    expect.stringMatching(
      new RegExp(
        `^{"success":false,"error":".+","code":"${code}","requestId":"[\\w-]{15}=","docUrl":"http://127.0.0.1:\\d+/api/docs/errors/${code}"}$`,
      ),
    )
  expect(await request('GET', '/api/nothing')).toMatchObject({ status: 404, text: refused('route_not_found') })
  expect(await request('DELETE', '/api/posts/schedule')).toEqual({
    status: 405,
    allow: 'POST, OPTIONS',
    text: refused('method_not_allowed'),
  })
  const body = Buffer.alloc(10 * 1024 * 1024 + 1, ' ')
  expect(await request('POST', '/api/posts/schedule', { body })).toMatchObject({
    status: 413,
    text: refused('body_too_large'),
  })
})

test('a preflight request is answered for any origin, without a token', async () => {
  const { url } = await start()
  const { status, headers } = await fetch(`${url}/api/posts/schedule`, { method: 'OPTIONS' })
  expect(status).toBe(200)
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(headers.get('Access-Control-Allow-Methods')).toBe('POST, OPTIONS')
  expect(headers.get('Access-Control-Allow-Headers')).toContain('Authorization')
})

test('the client returns data and throws errors', async () => {
  const { api, url, workspaceId } = await start()
  expect(await api.workspaces.get({ params: { id: workspaceId } })).toMatchObject({ id: workspaceId, role: 'owner' })
  const refused = await client({ baseUrl: url })
    .workspaces.list()
    .catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ApiError)
  expect(refused).toMatchObject({ status: 401, body: { success: false, code: 'unauthenticated' } })
})

test('a function has the variables of its template and no others', async () => {
  const { service } = await start()
  const { env } = service.contextOf('workspaces-get')
  expect(env('BASE_URL')).toBe(service.baseUrl)
  expect(() => env('MAIL_FROM')).toThrow('MAIL_FROM is not set')
  expect(service.context.env('MAIL_FROM')).toContain('@')
})

test('every variable that points outside the machine is replaced', async () => {
  const { service } = await start()
  const { env } = service.context
  expect(env('MEDIA_URL')).toBe(service.mediaUrl)
  expect(env('QUEUE_URL_PREFIX')).toMatch(/^http:\/\/127\.0\.0\.1:\d+/)
  expect(JSON.parse(env('PLATFORM_ORIGINS'))).toEqual(service.platforms.urls)
  expect(env('ALLOWED_ORIGINS').split(',')).toEqual([
    service.inboxUrl,
    ...definitions.flatMap(({ id, hosts }) => (hosts === undefined ? [service.platforms.urls[id]] : [])),
    service.pushUrl,
  ])
})

test('time advances from one due moment to the next: a scheduled post is published at its second', async () => {
  const { api, accounts, clock, platforms, service } = await start()
  const atMs = clock.now() + hourMs
  const body = {
    socialAccountIds: [accounts.discord],
    content: 'Hello',
    scheduledAt: new Date(atMs).toISOString(),
    metadata: { discord: { channelId: generalChannel } },
  }
  await api.posts.schedule({ body })
  // Its message comes five seconds early, and the worker that sleeps until the second moves the clock there.
  await service.pass(hourMs - 6_000, { tickMinutes: 30 })
  expect(platforms.published()).toEqual([])
  await service.pass(6_000)
  expect(platforms.published()).toMatchObject([{ platform: 'discord', text: 'Hello', publishedAt: atMs }])
  expect(clock.now()).toBeGreaterThanOrEqual(atMs)
})

test('a crash ends its invocation, and the message returns after its visibility timeout', async () => {
  const effects: string[] = []
  let crashes = 1
  const { api, accounts, platforms, service } = await start({
    async observe({ functionName, service: target, action }, run) {
      if (functionName === 'publish-post') effects.push(`${target} ${action}`)
      if (functionName === 'publish-post' && crashes > 0) {
        crashes -= 1
        throw new Crash('the process died')
      }
      return run()
    },
  })
  const metadata = { discord: { channelId: generalChannel } }
  await api.posts.publishNow({ body: { socialAccountIds: [accounts.discord], content: 'Hello', metadata } })
  await service.drain()
  expect(effects).toHaveLength(1)
  expect(platforms.published()).toEqual([])
  expect(service.queues.peek('social-local-publish-discord')).toMatchObject([{ state: 'inFlight', receiveCount: 1 }])
  await service.pass(hourMs / 6)
  expect(effects.length).toBeGreaterThan(1)
  expect(platforms.published()).toHaveLength(1)
})
