import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../net/listen.ts'
import { type Kit, start } from '../support/start.ts'
import { emit } from './hooks.ts'

const until = async (isSo: () => boolean) => {
  for (let tries = 0; !isSo() && tries < 600; tries += 1) await sleep(50)
  expect(isSo()).toBe(true)
}

const listenTo = (kit: Kit, port: number, state: string) => {
  const env = { ...process.env, BASE: kit.url, SESSION: kit.sessionToken, WORKSPACE: kit.workspaceId }
  const args = ['infra/commands/listen.ts', String(port), '--log', '--state', state]
  const child = spawn(process.execPath, args, { cwd: join(import.meta.dirname, '../..'), env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGINT')
    const [code] = await ended
    return code
  }
  return { output: () => stripVTControlCharacters(output), stop }
}

test('reads the event log of any service, signs each event, and continues where it was', async () => {
  const state = mkdtempSync(join(tmpdir(), 'listen-'))
  onTestFinished(() => rmSync(state, { recursive: true }))
  const kit = await start({ startMs: Date.now() })
  const bodies: string[] = []
  const headers: Record<string, string>[] = []
  const app = createServer(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    headers.push(Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])))
    response.writeHead(204).end()
  })
  const port = await listen(app)

  const first = listenTo(kit, port, state)
  await until(() => first.output().includes('90 seconds after they happen'))
  // Past the time of this machine, at which the command began.
  kit.clock.pass(300_000)
  await emit(kit)
  kit.clock.pass(95_000)
  await until(() => bodies.length === 1)
  const [secret = ''] = /whsec_\S+/.exec(first.output()) ?? []
  expect(new Webhook(secret).verify(bodies[0] ?? '', headers[0] ?? {})).toMatchObject({ type: 'post.scheduled' })
  await until(() => /signature ok {2}post\.scheduled {2}evt_\w{28} {2}204 {2}\d+ ms/.test(first.output()))
  expect(await first.stop()).toBe(0)

  await emit(kit)
  kit.clock.pass(95_000)
  const second = listenTo(kit, port, state)
  await until(() => bodies.length === 2)
  expect(await second.stop()).toBe(0)
  expect(second.output()).toContain(secret)
  const ids = bodies.map((body) => JSON.parse(body).id)
  expect(new Set(ids).size).toBe(2)
})
