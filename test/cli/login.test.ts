import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProxy } from '../client/proxy.ts'
import { browserOf } from '../pages/test-browser.ts'
import { type Kit, start } from '../support/start.ts'
import { makeSocial, type Social } from './social.ts'

let kit: Kit
let social: Social
beforeAll(async () => {
  kit = await start({ time: 'real' })
  social = await makeSocial()
}, 120_000)
afterAll(async () => {
  social.remove()
  await kit.close()
})

const approve = async (code: string) => {
  const { open, submit } = browserOf(kit, kit.sessionToken)
  const typed = await submit(await open('/device'), 'device', { user_code: code })
  await submit(await open(typed.to ?? ''), 'device-answer', { answer: 'approved' })
}

test('a poll that was too soon makes the next ones slower, and a lost one is repeated', async () => {
  const proxy = await startProxy(kit.url)
  try {
    const slow = { success: false, error: 'Slower.', code: 'slow_down', requestId: 'req_1' }
    const faults = [
      // The start of the login passes.
      { kind: 'none' },
      { kind: 'answer', status: 400, body: JSON.stringify(slow) },
      { kind: 'reset' },
    ]
    await fetch(`${proxy.url}/faults`, { method: 'POST', body: JSON.stringify(faults) })
    const child = social.launch(['login', proxy.url, '--json'])
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk))
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk))
    const ended = once(child, 'close')
    await expect.poll(() => stderr, { timeout: 20_000 }).toContain('Waiting for your approval')
    const [, code = ''] = /Your code is (\S+)\. /.exec(stderr) ?? []
    expect(stderr).toContain(`/device?user_code=${code}, where it is filled in.`)
    await approve(code)
    expect((await ended)[0]).toBe(0)
    // Without a terminal no browser is opened, and the token is not shown.
    expect(JSON.parse(stdout)).toEqual({
      profile: 'default',
      baseUrl: proxy.url,
      workspaceId: kit.workspaceId,
      workspaceName: 'Acme',
      email: kit.user.email,
    })
    expect(stdout + stderr).not.toMatch(/svc_ses_|in your browser/)
    const seen = (await (await fetch(`${proxy.url}/seen`)).json()) as { path: string; atMs: number }[]
    const polls = seen.filter(({ path }) => path === '/api/cli/auth/poll').map(({ atMs }) => atMs)
    const [first = 0, second = 0, third = 0] = polls
    expect(polls).toHaveLength(3)
    expect(second - first).toBeGreaterThanOrEqual(9_900)
    expect(third - second).toBeGreaterThanOrEqual(9_900)
  } finally {
    await proxy.close()
  }
}, 90_000)
