import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenWorld, openWorld, runIn } from './run-suite.ts'

const run = promisify(execFile)

let world: OpenWorld
beforeAll(async () => {
  world = await openWorld()
}, 120_000)
afterAll(() => world?.close())

test('the package does what its readme says, over every kind of fault', async () => {
  const outcomes = await runIn(world, [process.execPath])
  expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([])
  expect(outcomes.length).toBeGreaterThan(30)
}, 180_000)

test('the first programs of its readme run as pasted', async () => {
  const { home, kit } = world
  const readme = await readFile(join(home.installed, 'README.md'), 'utf8')
  // The first publishes, the others read its response, meet an error, and list posts.
  const blocks = [...readme.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, code = '']) => code).slice(0, 4)
  const path = join(home.folder, 'readme.mjs')
  await writeFile(path, blocks.join('\n'))
  const env = { BASE: kit.url, TOKEN: kit.pat, WORKSPACE: kit.workspaceId }
  const { stdout } = await run(process.execPath, [path], { env })
  const [published = '', ...ids] = stdout.trim().split('\n')
  expect(published).toMatch(/^https:\/\/bsky\.app\//)
  const posts = await kit.api.posts.list({ query: { status: 'scheduled' } })
  expect(ids).toEqual(posts.items.map(({ id }) => id))
  expect(ids.length).toBeGreaterThan(0)
}, 120_000)
