import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { start } from '../../../test/support/start.ts'
import { seedDemo } from '../demo/seed.ts'

test('the demo data is the same after any number of starts, within the limits of the templates', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const kit = await start({ rateLimits: {} })
  const first = await seedDemo(kit.service, join(folder, 'demo.json'))
  expect(first.isNew).toBe(true)
  // More than an address may sign in within a quarter of an hour.
  for (let starts = 0; starts < 25; starts += 1) {
    kit.clock.pass(10_000)
    expect(await seedDemo(kit.service, join(folder, 'demo.json'))).toEqual({ ...first, isNew: false })
  }
})

test('a start killed before it recorded its data leaves one workspace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'demo.json')
  const kit = await start()
  const { user, workspaceId, accounts } = await seedDemo(kit.service, file)
  // What is written first.
  writeFileSync(file, JSON.stringify({ password: user.password }))
  expect(await seedDemo(kit.service, file)).toMatchObject({ user, workspaceId, accounts })
})
