import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { call } from '../../../infra/local/demo/caller.ts'
import { uploadImage } from '../../../infra/local/demo/upload.ts'
import { freePort } from '../../net/free-port.ts'
import {
  buildWithinMs,
  builtServer,
  serve as launch,
  openWorkspace,
  type Running,
  signalGroup,
  until,
  untilServed,
} from '../../start/processes.ts'
import { launchPds, type RunningPds } from './launch.ts'

const folder = mkdtempSync(join(tmpdir(), 'serve-'))
const owner = 'ann@bakery.test'

let pds: RunningPds
let variables: Record<string, string>
let running: Running

beforeAll(async () => {
  pds = await launchPds()
  await builtServer()
  const port = await freePort()
  variables = {
    OWNER: owner,
    PORT: String(port),
    STATE: join(folder, 'state'),
    KEY_FILE: join(folder, 'key'),
    ALLOWED_ORIGINS: pds.url,
  }
}, buildWithinMs)
afterAll(async () => {
  if (running) signalGroup(running, 'SIGKILL')
  await pds?.close()
  rmSync(folder, { recursive: true, force: true })
})

const serve = async () => {
  running = launch(variables)
  await untilServed(running)
  return `http://127.0.0.1:${variables['PORT']}`
}

const xrpc = async (method: string, body: object, token?: string) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
  const answer = await fetch(`${pds.url}/xrpc/${method}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return (await answer.json()) as { did: string; accessJwt: string; password: string }
}

const records = async (repo: string) => {
  const query = new URLSearchParams({ repo, collection: 'app.bsky.feed.post' })
  const answer = await fetch(`${pds.url}/xrpc/com.atproto.repo.listRecords?${query}`)
  return ((await answer.json()) as { records: { value: { text: string; createdAt: string; embed?: object } }[] })
    .records
}

const Made = z.object({ id: z.string() })
const Shown = z.object({ status: z.string(), publishedAt: z.nullish(z.string()) })

test('from an empty folder to a post with an image on a real PDS, and one that was due while nothing ran', async () => {
  const account = await xrpc('com.atproto.server.createAccount', {
    email: owner,
    handle: 'bakery.test',
    password: 'correct-horse-battery',
  })
  const app = await xrpc('com.atproto.server.createAppPassword', { name: 'posts' }, account.accessJwt)
  const baseUrl = await serve()
  const caller = await openWorkspace(running, baseUrl, owner)
  const login = { identifier: 'bakery.test', appPassword: app.password, service: pds.url }
  const { id } = await call(caller, 'POST /api/social-accounts/connect/bluesky', Made, login)
  const image = await uploadImage(caller)
  const schedule = async (content: string, afterMs: number, mediaUrls: string[]) => {
    const scheduledAt = new Date(Date.now() + afterMs).toISOString()
    const body = { socialAccountIds: [id], content, scheduledAt, mediaUrls }
    const [post] = await call(caller, 'POST /api/posts/schedule', z.array(Made), body)
    return { path: `GET /api/posts/${post?.id}` as const, scheduledAt }
  }
  const published = ({ path }: { path: `GET /${string}` }) =>
    until(path, async () => {
      const post = await call(caller, path, Shown)
      return post.status === 'published' ? post : undefined
    })

  const first = await schedule('Rye is back', 3_000, [image])
  const { publishedAt } = await published(first)
  expect(Date.parse(publishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(first.scheduledAt))
  const [record] = await records(account.did)
  expect(record?.value).toMatchObject({ text: 'Rye is back', embed: { $type: 'app.bsky.embed.images' } })

  const second = await schedule('Sold out', 4_000, [])
  signalGroup(running, 'SIGKILL')
  await running.ended
  await until('the second post is due', () => (Date.now() > Date.parse(second.scheduledAt) ? true : undefined))
  await serve()
  expect(running.output()).not.toContain('reset-password')
  await published(second)
  expect((await records(account.did)).map(({ value }) => value.text)).toEqual(['Sold out', 'Rye is back'])
}, 240_000)
