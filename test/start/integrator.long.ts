import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { submitConnectPage } from '../../infra/local/demo/submit-connect-page.ts'
import { useService } from './one-service.ts'
import { until } from './processes.ts'

const local = useService()

interface WebhookEvent {
  type: string
  data: Record<string, unknown>
}

/** The integrator's app: it receives webhooks, and people come back to it. */
const returned: Record<string, unknown>[] = []
const events: WebhookEvent[] = []
let secret = ''
const app = express()
app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  events.push(new Webhook(secret).verify(request.body.toString(), headers) as WebhookEvent)
  response.sendStatus(204)
})
app.get('/connected', (request, response) => {
  returned.push(request.query)
  response.send('Your account is connected.')
})
const server = app.listen(0, '127.0.0.1')
let appUrl = ''
beforeAll(async () => {
  if (!server.listening) await once(server, 'listening')
  appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

interface Answered {
  status: number
  body: Record<string, unknown>
}

const call = async (token: string, method: string, path: string, body?: unknown): Promise<Answered> => {
  const { baseUrl, workspaceId } = local.service
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'content-type': 'application/json',
  }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...sent })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

const data = async <T>(token: string, method: string, path: string, body?: unknown): Promise<T> => {
  const { status, body: answer } = await call(token, method, path, body)
  expect([status < 300, answer], `${method} ${path}`).toEqual([true, expect.objectContaining({ success: true })])
  return answer['data'] as T
}

/** What a person does in a browser: our page and its button, the platform and its button, and every redirect after it. */
const allowInBrowser = async (authorizeUrl: string): Promise<Response> => {
  const { address, cookie } = await submitConnectPage(authorizeUrl)
  const decided = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'allow' }),
    redirect: 'manual',
  })
  return fetch(decided.headers.get('location') ?? '', { headers: { cookie } })
}

test('an integrator connects a customer, schedules, receives the webhook, and reads what an error says', async () => {
  const { workspaceId, sessionToken } = local.service
  const scopes = ['posts:read', 'posts:schedule', 'accounts:read', 'accounts:write', 'webhooks:read']
  const { token } = await data<{ token: string }>(sessionToken, 'POST', '/api/cli/tokens', {
    name: 'Integrator',
    workspaceId,
    scopes,
  })
  const home = `${appUrl}/connected`
  await data(sessionToken, 'PATCH', `/api/workspaces/${workspaceId}`, { redirectUrls: [home] })
  const hook = { name: 'App', url: `${appUrl}/webhooks`, events: ['post.scheduled', 'post.published'] }
  secret = (await data<{ secret: string }>(sessionToken, 'POST', '/api/webhooks', hook)).secret

  const { authorizeUrl } = await data<{ authorizeUrl: string }>(token, 'POST', '/api/social-accounts/connect/threads', {
    redirectUrl: home,
    state: 'order 7',
    externalId: 'customer-42',
  })
  expect(await (await allowInBrowser(authorizeUrl)).text()).toBe('Your account is connected.')
  const accounts = await data<{ id: string }[]>(token, 'GET', '/api/social-accounts?externalId=customer-42')
  expect(returned).toEqual([{ status: 'connected', platform: 'threads', accountId: accounts[0]?.id, state: 'order 7' }])

  const scheduledAt = new Date(Date.now() + 5_000).toISOString()
  const [post] = await data<{ id: string }[]>(token, 'POST', '/api/posts/schedule', {
    socialAccountIds: accounts.map(({ id }) => id),
    content: 'From an app',
    scheduledAt,
  })
  const published = await until('the webhook', () => events.find(({ type }) => type === 'post.published'))
  expect(published.data).toMatchObject({ postId: post?.id })
  expect(events[0]?.type).toBe('post.scheduled')

  const mistakes = [
    [token, 'GET', '/api/posts/nowhere_to_be_found', undefined],
    [token, 'POST', '/api/posts/schedule', { content: 'Nobody' }],
    [`${token.slice(0, -1)}_`, 'GET', '/api/posts', undefined],
  ] as const
  const codes = new Set<string>()
  for (const [by, method, path, body] of mistakes) {
    const { status, body: refused } = await call(by, method, path, body)
    expect(status).toBeGreaterThanOrEqual(400)
    const code = String(refused['code'])
    const page = await fetch(String(refused['docUrl']))
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(code)])
    codes.add(code)
  }
  expect(codes.size).toBe(3)
})
