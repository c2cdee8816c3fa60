import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, client } from '../../functions/client.ts'
import { inLanes } from '../support/world/lanes.ts'
import { useService } from './one-service.ts'
import { until } from './processes.ts'

const local = useService()

const customers = 300
const atOnce = 6
const minuteMs = 60_000

interface Received {
  id: string
  type: string
  workspace: { id: string }
  data: { postId?: string }
}

/** The backend of the builder: one endpoint for all customers. */
let secret = ''
const received: Received[] = []
const server = createServer(async (call, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of call) chunks.push(chunk)
  const headers = Object.fromEntries(Object.entries(call.headers).map(([name, value]) => [name, String(value)]))
  received.push(new Webhook(secret).verify(Buffer.concat(chunks).toString('utf8'), headers) as Received)
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
beforeAll(async () => {
  if (!server.listening) await once(server, 'listening')
})
afterAll(() => {
  server.close()
})

interface Page {
  text: string
  location: string
  cookie: string
}

/** The browser of a customer, at its own address: calls without a token are counted by address. */
const browserOf = (number: number) => {
  const localAddress = `127.0.${1 + (number >> 8)}.${number & 255}`
  return async (url: string | URL, form?: Record<string, string>, cookie = ''): Promise<Page> => {
    const { origin } = new URL(url)
    const headers = {
      ...(cookie === '' ? {} : { cookie }),
      ...(form === undefined ? {} : { origin, 'content-type': 'application/x-www-form-urlencoded' }),
    }
    const sent = request(url, { localAddress, method: form === undefined ? 'GET' : 'POST', headers })
    sent.end(form === undefined ? '' : new URLSearchParams(form).toString())
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const { location = '', 'set-cookie': cookies = [] } = answer.headers
    return { text: await textOf(answer), location, cookie: cookies[0]?.split(';')[0] ?? '' }
  }
}

/** What a customer does with the link of the builder: its button, the one of the platform, and back. */
const connectByLink = async (number: number, authorizeUrl: string): Promise<string> => {
  const open = browserOf(number)
  const [, ticket = ''] = /name="ticket" value="([^"]+)"/.exec((await open(authorizeUrl)).text) ?? []
  const onward = await open(new URL('/connect-accounts', authorizeUrl), { ticket })
  const [, address = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(onward.text) ?? []
  const decided = await open(address.replaceAll('&amp;', '&'), { answer: 'allow' })
  return (await open(decided.location, undefined, onward.cookie)).text
}

interface Customer {
  externalId: string
  workspaceId: string
  slug: string
  api: Client
  accountId: string
  postId: string
}

const inWorkspace = (token: string, workspaceId: string) =>
  client({ baseUrl: local.service.baseUrl, token, workspaceId })

const scheduleIn = async (api: Client, accountId: string, content: string, inMs: number) => {
  const scheduledAt = new Date(Date.now() + inMs).toISOString()
  const [post] = await api.posts.schedule({
    idempotencyKey: content,
    body: { socialAccountIds: [accountId], content, scheduledAt },
  })
  return post?.id ?? ''
}

const serve = async (backend: Client, token: string, number: number): Promise<Customer> => {
  const externalId = `customer-${number}`
  const { id: workspaceId, slug } = await backend.application.createWorkspace({
    body: { name: `Customer ${number}`, timezone: 'UTC', externalId },
  })
  const api = inWorkspace(token, workspaceId)
  const { authorizeUrl } = await api.socialAccounts.connect({ params: { platform: 'x' }, body: { externalId } })
  expect(await connectByLink(number, authorizeUrl)).toContain('is connected to Planner')
  const [account] = await api.socialAccounts.list({ query: { externalId } })
  const accountId = account?.id ?? ''
  const postId = await scheduleIn(api, accountId, `News of ${externalId}`, minuteMs)
  return { externalId, workspaceId, slug, api, accountId, postId }
}

const typesOf = (workspaceId: string) =>
  received.filter(({ workspace }) => workspace.id === workspaceId).map(({ type }) => type)

test(
  'an application with 300 customers: links, posts, one endpoint, and limits of their own',
  async () => {
    const { sessionToken, workspaceId: home } = local.service
    const owner = inWorkspace(sessionToken, home)
    await owner.application.register({ body: { name: 'Planner' } })
    const { token } = await owner.application.createToken({ body: { name: 'Backend' } })
    const backend = inWorkspace(token, home)
    const endpoint = await backend.webhooks.create({
      body: {
        name: 'Backend',
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
        events: ['social_account.connected', 'post.scheduled', 'post.published', 'post.publish_failed'],
        includeChildWorkspaces: true,
      },
    })
    secret = endpoint.secret

    const served: Customer[] = []
    for (let from = 1; from <= customers; from += atOnce) {
      const numbers = Array.from({ length: Math.min(atOnce, customers - from + 1) }, (_, n) => from + n)
      served.push(...(await Promise.all(numbers.map((number) => serve(backend, token, number)))))
    }
    expect((await backend.application.listWorkspaces({ query: { limit: 1 } })).total).toBe(customers)

    const countOf = (type: string) => new Set(received.filter((event) => event.type === type).map(({ id }) => id)).size
    const isPublished = () => (countOf('post.published') === customers ? true : undefined)
    await until('every post is published', isPublished, 8 * minuteMs)
    const distinct = new Map(received.map((event) => [event.id, event]))
    expect(distinct.size).toBe(3 * customers)
    for (const { workspaceId, postId } of served) {
      const own = [...distinct.values()].filter(({ workspace }) => workspace.id === workspaceId)
      expect(own.map(({ type }) => type).sort()).toEqual([
        'post.published',
        'post.scheduled',
        'social_account.connected',
      ])
      expect(own.flatMap(({ data }) => data.postId ?? [])).toEqual([postId, postId])
    }

    const [loud, quiet, leaving] = served
    if (!loud || !quiet || !leaving) throw new Error('there are no customers')
    // More concurrent requests than the gateway admits on a busy machine would answer 503.
    const statuses = await inLanes(Array.from({ length: 300 }), atOnce, () =>
      loud.api.posts.list().then(
        () => 200,
        ({ status }: { status: number }) => status,
      ),
    )
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    await quiet.api.posts.list()
    await backend.application.get()

    const last = await scheduleIn(leaving.api, leaving.accountId, 'after the end', 10_000)
    const { workspaceId: id, slug: confirm } = leaving
    await leaving.api.workspaces.delete({ params: { id }, query: { confirm } })
    await expect(leaving.api.posts.get({ params: { id: last } })).rejects.toMatchObject({ status: 403 })
    await scheduleIn(quiet.api, quiet.accountId, 'later than that', 20_000)
    const isLater = () =>
      typesOf(quiet.workspaceId).filter((type) => type === 'post.published').length === 2 || undefined
    await until('the later post is published', isLater, minuteMs)
    expect(received.some(({ type, data }) => type === 'post.published' && data.postId === last)).toBe(false)
  },
  20 * minuteMs,
)
