import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BusEvent } from '../../infra/local/engines/bus/shapes.ts'
import { openRows } from '../../infra/local/engines/stored-rows.ts'
import { choosePorts } from '../../infra/local/start/ports.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { bootstrap, buildWithinMs, built, launch, makeFolder, processesOf, removeFolder } from './processes.ts'

const folder = makeFolder()
beforeAll(built, buildWithinMs)
afterAll(() => removeFolder(folder))

const showOnce = async (env: Record<string, string> = {}) => {
  const running = launch(process.execPath, [bootstrap, 'start', '--once', '--state', folder], env)
  expect(await running.ended, running.output()).toBe(0)
  return running.output()
}

const readState = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'))

/** A name begins with that of its platform; the login at Facebook opens two pages. */
const names = [...definitions.map(({ name }) => name), 'Facebook'].sort()
const published = /✓ (\w+) .* published (\d+) ms after its time {2}https:\/\//g
const verified = /✓ .* (post\.scheduled|post\.published) .* signature verified/g

test('--once publishes a post while the user watches and exits with 0', { timeout: 90_000 }, async () => {
  const output = await showOnce()
  expect([...output.matchAll(published)].map(([, platform]) => platform).sort()).toEqual(names)
  expect(output.match(verified)).toHaveLength(2 * names.length)
  // The bundled relay has reached the event bus; it may not have reported the last events when the output ended.
  const rows = openRows(join(folder, 'engines/bus.sqlite'))
  const onBus = rows.map<string, typeof BusEvent>('events', BusEvent)
  const types = new Set([...onBus.values()].map((event) => event['detail-type']))
  rows.close()
  expect(types).toEqual(new Set(['social_account.connected', 'post.scheduled', 'post.published']))
  expect(output).toContain('/api/docs')
  expect(existsSync(join(folder, 'service.json'))).toBe(false)
  expect(processesOf(folder)).toEqual([])
})

test('a second run repeats it for the same user, also on other ports', { timeout: 90_000 }, async () => {
  const { password, workspaceId, pat } = readState('demo.json')
  const { inbox, platforms } = await choosePorts(join(folder, 'other-ports.json'))
  const before = readState('ports.json')
  expect([inbox === before.inbox, platforms === before.platforms]).toEqual([false, false])
  const output = await showOnce({ INBOX_PORT: String(inbox), PLATFORMS_PORT: String(platforms) })
  expect(output.match(published)).toHaveLength(names.length)
  expect(output.match(verified)).toHaveLength(2 * names.length)
  expect(output).toContain(`http://127.0.0.1:${platforms}`)
  expect(readState('demo.json')).toMatchObject({ password, workspaceId, pat })
})
