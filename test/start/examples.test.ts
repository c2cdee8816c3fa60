import { execFile, spawn, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { client } from '../../functions/client.ts'
import { buildPythonPackage } from '../../infra/commands/client-python.ts'
import { installPackage } from '../client/package-folder.ts'
import { png } from '../media/files.ts'
import { useService } from './one-service.ts'
import { until } from './processes.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const examples = join(root, 'infra/clients/javascript/examples')
const local = useService()
/** Which npm cannot bring; .ci/run installs it. */
const withPython = test.skipIf(spawnSync('python3', ['--version']).status !== 0)

let home: Awaited<ReturnType<typeof installPackage>>
let python: string
beforeAll(async () => {
  home = await installPackage()
  await cp(examples, home.folder, { recursive: true })
  python = await mkdtemp(join(tmpdir(), 'examples-python-'))
  await buildPythonPackage(python)
  await writeFile(join(home.folder, 'picture.png'), await png(64, 64))
}, 120_000)
afterAll(async () => {
  await home?.remove()
  await rm(python, { recursive: true, force: true })
})

const env = (more: Record<string, string> = {}) => {
  const { baseUrl, pat, workspaceId } = local.service
  return { PATH: process.env['PATH'], PYTHONPATH: python, BASE: baseUrl, TOKEN: pat, WORKSPACE: workspaceId, ...more }
}

/** The lines that an example prints. */
const linesOf = async (name: string, ...args: string[]): Promise<string[]> => {
  const command = name.endsWith('.py') ? 'python3' : process.execPath
  const { stdout } = await run(command, [name, ...args], { cwd: home.folder, env: env(), timeout: 120_000 })
  return stdout.trim().split('\n')
}

const api = (token = local.service.pat) => {
  const { baseUrl, workspaceId } = local.service
  return client({ baseUrl, token, workspaceId })
}
const get = (id: string) => api().posts.get({ params: { id } })

const Published = z.array(z.looseObject({ platform: z.string(), text: z.string(), url: z.nullable(z.string()) }))
/** What the stand-ins have published with these texts. */
const published = async (...texts: string[]) => {
  const posts = z.parse(Published, await (await fetch(`${local.service.platformsUrl}/published`)).json())
  return posts.filter(({ text }) => texts.includes(text))
}

test('every example stands in the table, is run here, and has at most 40 lines', async () => {
  const names = (await readdir(examples)).filter((name) => name !== 'README.md')
  const table = await readFile(join(examples, 'README.md'), 'utf8')
  const own = await readFile(import.meta.filename, 'utf8')
  expect(names.length).toBe(12)
  for (const name of names) {
    expect(table).toContain(`](${name})`)
    if (!/^(client|social)\./.test(name)) expect(own).toContain(`'${name}'`)
    expect((await readFile(join(examples, name), 'utf8')).split('\n').length, name).toBeLessThanOrEqual(41)
  }
})

test('two-platforms.mjs schedules a post for each', async () => {
  const lines = (await linesOf('two-platforms.mjs')).map((line) => line.split(' '))
  expect(lines.map(([platform]) => platform).sort()).toEqual(['bluesky', 'mastodon'])
  for (const [platform, id = ''] of lines) {
    const { status, content } = await get(id)
    expect([status, content]).toEqual([
      'scheduled',
      `The bakery opens at seven.${platform === 'mastodon' ? ' #bread' : ''}`,
    ])
  }
})

test('thread.mjs publishes both posts, the first with the image', async () => {
  const lines = await linesOf('thread.mjs', 'picture.png')
  const posts = await published('How a loaf gets its crust.', 'Steam, and then none.')
  expect(posts.map(({ url }) => url).sort()).toEqual(lines.sort())
  expect(lines.length).toBe(2)
})

test('video.mjs publishes a video, and its bar ends full', async () => {
  const film = join(root, 'infra/local/demo/film.mp4')
  const args = ['video.mjs', film]
  const { stdout, stderr } = await run(process.execPath, args, { cwd: home.folder, env: env(), timeout: 120_000 })
  expect(stderr.trim().split('\r').at(-1)).toBe(`${'#'.repeat(20)} 100 %`)
  expect((await published('An evening in the bakery.')).map(({ url }) => url)).toEqual([stdout.trim()])
})

withPython('webhooks.mjs prints what the service delivers, and wait.py what it has published', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  const { webhooks } = api(local.service.sessionToken)
  const url = `http://127.0.0.1:${port}/`
  const { id, secret } = await webhooks.create({ body: { name: 'Example', url, events: ['post.published'] } })
  const receiver = spawn(process.execPath, ['webhooks.mjs', String(port)], {
    cwd: home.folder,
    env: env({ SECRET: secret }),
  })
  onTestFinished(() => void receiver.kill())
  let output = ''
  receiver.stdout.on('data', (text) => {
    output += text
  })
  await until('it listens', () => (output.includes('listening') ? true : undefined))
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
  const [line = ''] = await linesOf('wait.py')
  const [post] = await published('Fresh rolls, still warm.')
  expect(line).toBe(`published ${post?.url}`)
  await until('the event', () => (output.includes(line) ? true : undefined))
  await webhooks.delete({ params: { id } })
})

withPython(
  'week_from_csv.py schedules each line once, postpone.mjs moves them by a day, report.py counts them',
  async () => {
    const days = [1, 2, 3].map(
      (day) => `${new Date(Date.now() + (300 + day) * 86_400_000).toISOString().slice(0, 19)}+00:00`,
    )
    await writeFile(
      join(home.folder, 'week.csv'),
      `at,text\n${days.map((at, n) => `${at},"Day ${n}, bread"`).join('\n')}\n`,
    )
    const lines = await linesOf('week_from_csv.py', 'week.csv')
    expect(await linesOf('week_from_csv.py', 'week.csv')).toEqual(lines)
    const ids = lines.map((line) => line.split(' ')[0] ?? '')
    const counted = /^bluesky scheduled (\d+)$/m.exec((await linesOf('report.py')).join('\n'))
    const { items } = await api().posts.list({
      query: { status: 'scheduled', socialAccountId: local.service.accounts['bluesky'] ?? '' },
    })
    expect(Number(counted?.[1])).toBe(items.length)
    expect((await linesOf('postpone.mjs')).length).toBe(items.length)
    const moved = await Promise.all(ids.map(get))
    expect(moved.map(({ content, scheduledAt }) => [content, scheduledAt])).toEqual(
      days.map((at, n) => [`Day ${n}, bread`, new Date(Date.parse(at) + 86_400_000).toISOString()]),
    )
  },
)

test('validation.mjs names what is wrong', async () => {
  const lines = await linesOf('validation.mjs')
  expect(lines[0]).toMatch(/^validate: \w+ .*300/)
  expect(lines[1]).toBe('400 content_length: content_length content')
})

withPython('everywhere.py publishes on both platforms', async () => {
  const posts = await linesOf('everywhere.py').then(async (lines) => {
    const livePosts = await published('Open until six, says Bluesky.', 'Open until six, says Mastodon.')
    return [lines.sort(), livePosts.map(({ url }) => url).sort()]
  })
  expect(posts[0]).toEqual(posts[1])
  expect(posts[0]?.length).toBe(2)
})
