import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../net/free-port.ts'
import { type Kit, start } from '../../support/start.ts'
import { signalGroup, until } from '../processes.ts'
import { type Fault, startProxy } from './proxy.ts'
import { remainsIn } from './remains.ts'
import { launchSmoke, smoke } from './run.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start({ time: 'real' })
})
afterAll(() => kit.close())

const left = () => remainsIn({ ...kit, baseUrl: kit.url })

const withFault = async (fault: Fault): Promise<string> => {
  const proxy = await startProxy(kit.url, fault)
  onTestFinished(() => proxy.close())
  return proxy.baseUrl
}

test('a route that answers 500 fails its step with the request id, and everything is cleaned up', async () => {
  const baseUrl = await withFault((call, response) => {
    if (!call.endsWith('/reschedule')) return false
    const body = { success: false, error: 'Unexpected server error.', code: 'internal_error' }
    response
      .writeHead(500, { 'content-type': 'application/json', 'x-request-id': 'failed-1' })
      .end(JSON.stringify(body))
    return true
  })
  const { code, failed } = await smoke(kit.pat, '--base-url', baseUrl)
  expect(code).toBe(1)
  expect(failed).toEqual([
    expect.stringMatching(
      /^FAILED {3}reschedule .* failed-1 .* POST \/api\/posts\/\w+\/reschedule answered 500 \(internal_error\): Unexpected/,
    ),
  ])
  expect(await left()).toEqual([])
})

test('an answer that does not match its contract fails its step', async () => {
  const baseUrl = await withFault(async (call, response, forward) => {
    if (!call.startsWith('GET /api/social-accounts')) return false
    const answer = await forward()
    const text = (await answer.text()).replaceAll('"isConnected"', '"connected"')
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'other-1' }).end(text)
    return true
  })
  const { code, failed } = await smoke(kit.pat, '--base-url', baseUrl)
  expect([code, failed]).toEqual([
    1,
    [expect.stringMatching(/^FAILED {3}social accounts .* other-1 .* GET \/api\/social-accounts: 0\.isConnected: /)],
  ])
})

test('a rate limit is waited out', async () => {
  let refused = 0
  const baseUrl = await withFault((call, response) => {
    if (call !== 'POST /api/drafts' || refused >= 2) return false
    refused += 1
    const body = { success: false, error: 'Rate limit exceeded', code: 'rate_limited' }
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' }).end(JSON.stringify(body))
    return true
  })
  const { code, failed } = await smoke(kit.pat, '--base-url', baseUrl)
  expect([code, failed, refused]).toEqual([0, [], 2])
})

test('a resource whose creating response was lost is deleted', async () => {
  const calls: string[] = []
  const baseUrl = await withFault(async (call, response, forward) => {
    calls.push(call)
    if (call !== 'POST /api/posts/schedule' || calls.filter((each) => each === call).length > 1) return false
    await forward()
    response.destroy()
    return true
  })
  const { code, failed, lines } = await smoke(kit.pat, '--base-url', baseUrl)
  expect([code, failed]).toEqual([
    1,
    [expect.stringMatching(/^FAILED {3}schedule, and repeat .* POST \/api\/posts\/schedule: UND_ERR_SOCKET/)],
  ])
  expect(lines.filter((line) => /^ok {7}clean up .* the scheduled post$/.test(line))).toHaveLength(1)
  expect(await left()).toEqual([])
})

test('a resource that cannot be deleted is listed, and the test fails', async () => {
  const baseUrl = await withFault((call, response) => {
    if (!call.startsWith('DELETE /api/drafts/')) return false
    response.destroy()
    return true
  })
  const { code, failed } = await smoke(kit.pat, '--base-url', baseUrl)
  expect([code, failed]).toEqual([
    1,
    ['two', 'one'].map((name) =>
      expect.stringMatching(
        new RegExp(`clean up .* the draft "smoke \\w{6} ${name}" is left: DELETE /api/drafts/drf_`),
      ),
    ),
  ])
  const ids = await left()
  expect(ids).toHaveLength(2)
  for (const id of ids) await kit.api.drafts.delete({ params: { id } })
})

test('Ctrl-C ends the test and cleans up', async () => {
  let reached = false
  const baseUrl = await withFault((call) => {
    if (!call.endsWith('/reschedule')) return false
    reached = true
    return true
  })
  const test = launchSmoke(kit.pat, '--base-url', baseUrl)
  await until('the request that never ends', () => reached || undefined)
  signalGroup(test, 'SIGINT')
  expect(await test.ended).toBe(1)
  expect(test.output()).toMatch(/FAILED {3}reschedule .*interrupted by SIGINT\n(ok {7}clean up .*\n){4,}Interrupted\. /)
  expect(await left()).toEqual([])
})

test('a host that cannot be reached fails in one line', async () => {
  const { code, failed, lines } = await smoke(kit.pat, '--base-url', `http://127.0.0.1:${await freePort()}`)
  expect([code, lines.length]).toEqual([1, 2])
  expect(failed).toEqual([expect.stringMatching(/^FAILED {3}health .* GET \/api\/health: ECONNREFUSED$/)])
})

test('a server that hangs fails after the timeout', async () => {
  const baseUrl = await withFault(() => true)
  const { code, failed } = await smoke(kit.pat, '--base-url', baseUrl, '--timeout', '1')
  expect([code, failed]).toEqual([1, [expect.stringMatching(/GET \/api\/health: no answer within 1 s$/)]])
})

test('a web site that is not the API fails in one line', async () => {
  const baseUrl = await withFault((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
    return true
  })
  const { code, failed } = await smoke(kit.pat, '--base-url', baseUrl)
  expect([code, failed]).toEqual([1, [expect.stringContaining('Is this the base URL of the API?')]])
})

test.each([
  [[], 'x', /^"--base-url" is missing\. Usage: .*\n$/],
  [['--base-url', 'api.example.com'], 'x', /^"--base-url" is "api\.example\.com", not a URL\. Usage: .*\n$/],
  [['--base-url', 'http://api.example.com'], 'x', /^"--base-url" must use https: .*\n$/],
  [['--base-url', 'https://api.example.com'], '', /^The token is missing\. Set SMOKE_TOKEN .*\n$/],
  [['--base-url', 'https://api.example.com', '--pubish', 'acc_1'], 'x', /^Unknown option '--pubish'\. Usage: .*\n$/],
  [['--base-url', 'https://api.example.com', '--metadata', '{'], 'x', /^"--metadata" must be a JSON object.*\n$/],
  [['--base-url', 'https://api.example.com', '--timeout', 'long'], 'x', /^"--timeout" is "long".*\n$/],
])('rejects %j with one line and the exit code 2', async (args, token, sentence) => {
  const { code, output } = await smoke(token, ...args)
  expect([code, output]).toEqual([2, expect.stringMatching(sentence)])
})
