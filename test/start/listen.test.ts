import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { listen } from '../net/listen.ts'
import { useService } from './one-service.ts'
import { launch, until } from './processes.ts'

const local = useService()

interface Received {
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** The app of a reader. */
let received: Received[] = []
let status = 200
const app = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  received.push({ url: request.url ?? '', headers: request.headers, body })
  response.writeHead(status).end()
})
beforeEach(() => {
  received = []
  status = 200
})
afterAll(() => {
  app.close()
})

const publish = async () => {
  const { baseUrl, pat, workspaceId, accounts } = local.service
  const answer = await fetch(`${baseUrl}/api/posts/publish-now`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pat}`, 'x-workspace-id': workspaceId, 'content-type': 'application/json' },
    body: JSON.stringify({ socialAccountIds: [accounts['bluesky']], content: `Listened to ${Math.random()}` }),
  })
  expect(answer.status).toBe(201)
}

// Not the service of a shell in which someone tried the README.
const environment = { BASE: '', SESSION: '', TOKEN: '', WORKSPACE: '' }

const listenTo = async (...args: string[]) => {
  const running = launch(process.execPath, ['infra/commands/listen.ts', ...args, '--state', local.folder], environment)
  const output = () => stripVTControlCharacters(running.output())
  await until('it forwards', () => (output().includes('Forwarding webhooks to') ? true : undefined))
  const [secret = ''] = /whsec_\S+/.exec(output()) ?? []
  const stop = () => {
    running.child.kill('SIGINT')
    return running.ended
  }
  return { output, secret, stop }
}

const line = (outcome: string) =>
  new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}signature ok {2}post\\.published {2}evt_\\w{28} {2}${outcome} {2}\\d+ ms$`, 'm')

test('forwards webhooks unchanged, retries failures, and resumes after a stop', async () => {
  const port = await listen(app)
  const first = await listenTo(String(port), '--path', '/hooks', '--events', 'post.published')
  status = 500
  await publish()
  await until('the app fails once', () => (line('500').test(first.output()) ? true : undefined))
  status = 200
  await until('the retry', () => (line('200').test(first.output()) ? true : undefined))

  expect(received.map(({ url }) => url)).toEqual(['/hooks', '/hooks'])
  const attempts = received.map(({ headers }) => headers['x-service-delivery-attempt'])
  expect(attempts).toEqual(['1', '2'])
  for (const { headers, body } of received) {
    const signed = `${headers['x-service-timestamp']}.${body}`
    expect(headers['x-service-signature']).toBe(`v1=${createHmac('sha256', first.secret).update(signed).digest('hex')}`)
  }
  expect(await first.stop()).toBe(0)

  received = []
  await publish()
  const second = await listenTo(`http://127.0.0.1:${port}/other`, '--events', 'post.published')
  await until('what was missed', () => (line('200').test(second.output()) ? true : undefined))
  expect(second.secret).toBe(first.secret)
  expect(received.map(({ url }) => url)).toEqual(['/other'])
  expect(await second.stop()).toBe(0)
})

test.each([
  [[], 'The port of your app is missing.'],
  [['0'], '"0" is not a port or a URL.'],
  [['4000', '4001'], 'Only one port or URL is allowed, and "4001" is another one.'],
  [['4000', '--path', 'hooks'], '"--path" is "hooks". It starts with a slash.'],
  [['4000', '--events', 'post.gone'], '"post.gone" is not an event type. The types are post.scheduled, '],
  [['4000', '--fast'], "Unknown option '--fast'."],
  [['4000', '--state', '/nowhere'], 'The service does not run. Start it with "npm start", or set BASE, '],
])('%j ends with 2 and one line', async (args, sentence) => {
  const running = launch(process.execPath, ['infra/commands/listen.ts', ...args], environment)
  expect(await running.ended).toBe(2)
  expect(running.output().startsWith(sentence)).toBe(true)
  expect(running.output()).toMatch(/^[^\n]+ Usage: npm run listen -- <port or URL> [^\n]+\n$/)
})

test.each([
  [{ BASE: 'http://api.example.com', SESSION: 's', WORKSPACE: 'w' }, 'BASE must use https: the token must not '],
  [{ BASE: 'api.example.com', SESSION: 's', WORKSPACE: 'w' }, 'BASE is "api.example.com", not a URL.'],
  [{ BASE: 'https://api.example.com', WORKSPACE: 'w' }, 'Set SESSION to the token of a session.'],
  [{ BASE: 'https://api.example.com', SESSION: 's' }, 'Set WORKSPACE to the id of a workspace.'],
])('the environment %j ends with 2', async (given, sentence) => {
  const running = launch(process.execPath, ['infra/commands/listen.ts', '4000'], { ...environment, ...given })
  expect(await running.ended).toBe(2)
  expect(running.output().startsWith(sentence)).toBe(true)
})
