import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IDataObject, INode, IWebhookFunctions } from 'n8n-workflow'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createClient } from '../../../infra/clients/javascript/src/index.ts'
import { eventTypes } from '../../../shared/events/types.ts'
import { useService } from '../../start/one-service.ts'
import { until } from '../../start/processes.ts'
import { openEngine } from './engine.ts'

const local = useService()
let secret = ''
let accessToken = ''
let engine: Awaited<ReturnType<typeof openEngine>>
beforeAll(async () => {
  engine = await openEngine(() => ({
    socialPublishingWebhookApi: { secret },
    socialPublishingApi: { baseUrl: local.service.baseUrl, accessToken, workspaceId: local.service.workspaceId },
  }))
})
afterAll(() => engine?.close())

/** What the workflow of a trigger was started with, and how each request was answered. */
let started: unknown[] = []
let answers: number[] = []
let staticData = {}
let parameters: Record<string, unknown> = {}
beforeEach(() => {
  ;[started, answers, staticData, parameters] = [[], [], {}, {}]
})

const typeName = 'n8n-nodes-social-publishing.socialPublishingTrigger'

/** The production webhook of n8n: it keeps the raw body, runs the node, and starts the workflow with what it returns. */
const trigger = () => {
  const more: Partial<INode> = {
    name: 'Trigger',
    type: typeName,
    credentials: {
      socialPublishingWebhookApi: { id: '2', name: 'Secret' },
      socialPublishingApi: { id: '3', name: 'Application' },
    },
  }
  return engine.nodeWith(parameters, more)
}
const server = createServer(async (request, response) => {
  const rawBody = Buffer.concat(await request.toArray())
  const node = trigger()
  const workflow = engine.workflowOf(node, [], staticData)
  const data = engine.additionalData('')
  data.httpRequest = Object.assign(request, { rawBody, body: {} }) as never
  let isAnswered = false
  data.httpResponse = {
    status: (code: number) => ({
      json: (body: object) => {
        isAnswered = true
        answers.push(code)
        response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      },
    }),
  } as never
  const webhookData = { webhookDescription: {}, path: 'webhook', node: node.name } as never
  const context = new engine.core.WebhookContext(workflow, node, data, 'webhook', webhookData, [], null)
  const result = await engine.nodeTypes.getByName(typeName).webhook?.call(context as IWebhookFunctions)
  staticData = workflow.staticData
  for (const item of result?.workflowData?.[0] ?? []) started.push(item.json)
  expect(isAnswered).toBe(result?.noWebhookResponse === true)
  if (isAnswered) return
  answers.push(200)
  response.writeHead(200).end()
})
let url: string
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address?.port}/webhook`
})
afterAll(() => {
  server.close()
})

const client = (token: string) =>
  createClient({ baseUrl: local.service.baseUrl, token, workspaceId: local.service.workspaceId })

/** An endpoint of the service for the URL of the node; the credentials get its secret. */
const createEndpoint = async (events: ('post.published' | 'post.scheduled')[]) => {
  const endpoint = await client(local.service.sessionToken).webhooks.create({ name: 'n8n', url, events })
  secret = endpoint.secret
  return endpoint.id
}

const remove = (id: string) => client(local.service.sessionToken).webhooks.delete(id)

const publish = async (content: string) => {
  const { accounts, pat } = local.service
  const [post] = await client(pat).posts.publishNow({ socialAccountIds: [accounts['bluesky'] ?? ''], content })
  return post?.id
}

test('a delivery of the service starts the workflow with its event', async () => {
  const endpoint = await createEndpoint(['post.published'])
  const postId = await publish('n8n listens.')
  await until('the workflow starts', () => (started.length > 0 ? true : undefined))
  expect(started).toMatchObject([
    { id: expect.stringMatching(/^evt_/), type: 'post.published', data: { postId, platform: 'bluesky' } },
  ])
  await remove(endpoint)
})

test('a delivery with another secret is refused with 401, and starts nothing', async () => {
  const endpoint = await createEndpoint(['post.published'])
  secret = `whsec_${Buffer.alloc(32).toString('base64')}`
  await publish('n8n has another secret.')
  await until('the delivery is refused', () => (answers.includes(401) ? true : undefined))
  expect(started).toEqual([])
  await remove(endpoint)
})

/** A delivery as the service sent it, to send it again. */
const capture = async () => {
  const endpoint = await createEndpoint(['post.published', 'post.scheduled'])
  const copies: { headers: Record<string, string>; body: string }[] = []
  const copy = (request: { headers: object; rawBody?: Buffer }) => {
    const headers = Object.entries(request.headers).filter(([name]) => /^(?:webhook|x-service|content-type)/.test(name))
    copies.push({ headers: Object.fromEntries(headers), body: String(request.rawBody) })
  }
  const listener = (request: never) => setTimeout(() => copy(request), 50)
  server.on('request', listener)
  await publish(`n8n copies ${Math.random()}.`)
  const delivery = await until('a delivery', () => copies.find(({ body }) => body.includes('post.published')))
  server.off('request', listener)
  await remove(endpoint)
  return delivery
}

const send = async (headers: Record<string, string>, body: string) =>
  (await fetch(url, { method: 'POST', headers, body })).status

test('an event that comes again starts nothing; a changed, unsigned, or old one is refused', async () => {
  const { headers, body } = await capture()
  started = []
  expect(await send(headers, body)).toBe(200)
  expect(started).toEqual([])
  staticData = {}
  expect(await send(headers, body)).toBe(200)
  expect(started).toHaveLength(1)
  staticData = {}
  expect(await send(headers, body.replace('bluesky', 'mastodon'))).toBe(401)
  expect(await send({ 'content-type': 'application/json' }, body)).toBe(401)
  expect(await send({ ...headers, 'x-service-timestamp': '1', 'webhook-timestamp': '1' }, body)).toBe(401)
  expect(await send(headers, '')).toBe(401)
  expect(started).toHaveLength(1)
  secret = `whsec_${Buffer.alloc(32).toString('base64')}, ${secret}`
  expect(await send(headers, body)).toBe(200)
  expect(started).toHaveLength(2)
  secret = ''
  expect(await send(headers, body)).toBe(401)
})

test('only the chosen events start the workflow', async () => {
  const { headers, body } = await capture()
  ;[started, staticData, parameters] = [[], {}, { events: ['post.publish_failed'] }]
  expect(await send(headers, body)).toBe(200)
  expect(started).toEqual([])
  parameters = { events: [] }
  expect(await send(headers, body)).toBe(200)
  expect(started).toHaveLength(1)
})

test('the field of the events has every type of the API', () => {
  const { properties } = engine.nodeTypes.getByName(typeName).description
  const options = properties.find(({ name }) => name === 'events')?.options ?? []
  expect(options.map((option) => 'value' in option && option.value).sort()).toEqual([...eventTypes].sort())
})

test('it remembers 500 events, and no more', async () => {
  const { headers, body } = await capture()
  staticData = { 'node:Trigger': { seen: Array.from({ length: 500 }, (_, n) => `evt_${n}`) } }
  await send(headers, body)
  const { seen } = Object(staticData)['node:Trigger']
  expect([seen.length, seen[0], seen.at(-1)]).toEqual([500, 'evt_1', headers['x-service-event-id']])
})

/** As the database of n8n keeps it. */
const stored = (data: object): IDataObject => JSON.parse(JSON.stringify(data))

/** What n8n does with a trigger when its workflow is activated or deactivated: a step, and then the static data is stored. */
const runStep = async (name: 'checkExists' | 'create' | 'delete', path = 'webhook'): Promise<boolean | undefined> => {
  const node = trigger()
  const workflow = engine.workflowOf(node, [], staticData)
  const data = engine.additionalData('')
  data.webhookBaseUrl = new URL(url).origin
  const webhookData = { webhookDescription: {}, path, node: node.name } as never
  const context = new engine.core.HookContext(workflow, node, data, 'internal', 'activate', webhookData)
  context.getNodeWebhookUrl = () => new URL(path, url).href
  try {
    return await engine.nodeTypes.getByName(typeName).webhookMethods?.['default']?.[name]?.call(context)
  } finally {
    staticData = stored(workflow.staticData)
  }
}

const activate = async (path?: string) => {
  if (!(await runStep('checkExists', path))) await runStep('create', path)
}

const storedEndpoint = () => Object(staticData)['node:Trigger']?.endpoint

/** The endpoints of the service that lead to n8n. */
const endpoints = async () => {
  const all = await client(local.service.sessionToken).webhooks.list()
  const own = all.filter(({ url: to }) => new URL(to).origin === new URL(url).origin)
  return own.map(({ id, url: to, events, enabled }) => ({ id, path: new URL(to).pathname, events, enabled }))
}

/** Credentials with the token of an application, as its owner makes one. */
const useApplication = async () => {
  const { application } = client(local.service.sessionToken)
  await application.register({ name: 'n8n' }).catch(() => application.get())
  accessToken = (await application.createToken({ name: 'n8n' })).token
  parameters = { endpoint: 'managed', events: ['post.published'] }
}

test('with the token of an application, the trigger creates its endpoint, gets deliveries, and deletes it', async () => {
  await useApplication()
  expect(await runStep('checkExists')).toBe(false)
  await activate()
  const own = { id: storedEndpoint().id, path: '/webhook', events: ['post.published'], enabled: true }
  expect(await endpoints()).toEqual([own])
  expect(storedEndpoint()).toEqual({ id: own.id, url, secret: expect.stringMatching(/^whsec_/) })
  secret = ''
  const postId = await publish('n8n has an endpoint of its own.')
  await until('the workflow starts', () => (started.length > 0 ? true : undefined))
  expect(started).toMatchObject([{ type: 'post.published', data: { postId } }])
  const before = stored(staticData)
  expect(await runStep('checkExists')).toBe(true)
  expect(staticData).toEqual(before)
  await runStep('delete')
  expect([await endpoints(), storedEndpoint()]).toEqual([[], undefined])
  expect(await runStep('delete')).toBe(true)
})

test('an endpoint with the URL of the trigger is used again, and gets the events that are chosen now', async () => {
  await useApplication()
  await activate()
  const first = storedEndpoint()
  parameters['events'] = []
  await activate()
  expect(storedEndpoint()).toEqual(first)
  expect((await endpoints()).map(({ events }) => [...events].sort())).toEqual([[...eventTypes].sort()])
  // n8n died before it stored the static data.
  ;[staticData, parameters['events']] = [{}, ['post.published']]
  await activate()
  expect([storedEndpoint().id, storedEndpoint().secret === first.secret]).toEqual([first.id, false])
  await publish('n8n has another secret now.')
  await until('the workflow starts', () => (started.length > 0 ? true : undefined))
  await client(local.service.sessionToken).webhooks.delete(first.id)
  expect(await runStep('checkExists')).toBe(false)
  await activate()
  expect([storedEndpoint().id === first.id, (await endpoints()).length]).toEqual([false, 1])
  await client(local.service.sessionToken).webhooks.delete(storedEndpoint().id)
  expect(await runStep('delete')).toBe(true)
})

test('a test run has its own endpoint, and keeps that of the active workflow', async () => {
  await useApplication()
  await activate()
  const active = stored(staticData)
  await activate('webhook-test')
  expect((await endpoints()).map(({ path }) => path).sort()).toEqual(['/webhook', '/webhook-test'])
  await runStep('delete', 'webhook-test')
  staticData = active
  await runStep('delete', 'webhook-test')
  expect((await endpoints()).map(({ path }) => path)).toEqual(['/webhook'])
  await runStep('delete')
  expect(await endpoints()).toEqual([])
})

test('a personal access token cannot manage an endpoint, and by hand nothing is registered', async () => {
  accessToken = local.service.pat
  parameters = { endpoint: 'managed' }
  await expect(activate()).rejects.toThrow(/Only the token of an application \(svc_app_…\)/)
  accessToken = `svc_app_${'x'.repeat(40)}`
  await expect(activate()).rejects.toThrow(/token/i)
  parameters = {}
  await activate()
  expect([await runStep('checkExists'), await runStep('delete')]).toEqual([true, true])
  expect([await endpoints(), storedEndpoint()]).toEqual([[], undefined])
})
