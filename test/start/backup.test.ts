import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Caller, call } from '../../infra/local/demo/caller.ts'
import { uploadImage } from '../../infra/local/demo/upload.ts'
import { blueskySeed } from '../../infra/local/platforms/bluesky/seed.ts'
import { startPlatforms } from '../../infra/local/platforms/start.ts'
import { systemClock as clock } from '../../infra/local/service/system-clock.ts'
import { freePort } from '../net/free-port.ts'
import {
  buildWithinMs,
  built,
  launch,
  openWorkspace,
  type Running,
  serve,
  signalGroup,
  until,
  untilServed,
} from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'backup-'))
const [state, restored, backups, keyFile] = ['state', 'restored', 'backups', 'key'].map((name) =>
  join(folder, name),
) as [string, string, string, string]
const owner = 'ann@bakery.test'
let platforms: Awaited<ReturnType<typeof startPlatforms>>
let settings: Record<string, string>
let running: Running

beforeAll(async () => {
  platforms = await startPlatforms({ clock })
  await built()
  mkdirSync(backups)
  settings = {
    OWNER: owner,
    PORT: String(await freePort()),
    MEDIA_PORT: String(await freePort()),
    KEY_FILE: keyFile,
    BACKUP_FOLDER: backups,
    ALLOWED_ORIGINS: platforms.urls['bluesky'] ?? '',
  }
}, buildWithinMs)
afterAll(async () => {
  if (running) signalGroup(running, 'SIGKILL')
  await platforms?.close()
  rmSync(folder, { recursive: true, force: true })
})

const serveOn = async (stateFolder: string) => {
  running = serve({ ...settings, STATE: stateFolder })
  await untilServed(running)
}

const stop = async (signal: NodeJS.Signals) => {
  signalGroup(running, signal)
  await running.ended
}

const operate = async (...args: string[]) => {
  const command = launch(process.execPath, ['infra/commands/operator.ts', ...args])
  return { code: await command.ended, output: command.output() }
}

const Made = z.object({ id: z.string() })
const Shown = z.object({ status: z.string(), publishedAt: z.nullish(z.string()) })

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const texts = () => platforms.published().map(({ text }) => text)

test('what was published after the backup is not published again from it, and what waits is published', async () => {
  await serveOn(state)
  await until('the first backup', () => running.output().includes('backup made') || undefined)
  const caller: Caller = await openWorkspace(running, `http://127.0.0.1:${settings['PORT']}`, owner)
  const { handle: identifier, appPassword } = blueskySeed.account
  const login = { identifier, appPassword, service: platforms.urls['bluesky'] }
  const { id: account } = await call(caller, 'POST /api/social-accounts/connect/bluesky', Made, login)
  const image = await uploadImage(caller)
  const schedule = async (content: string, scheduledAt: string) => {
    const body = { socialAccountIds: [account], content, scheduledAt, mediaUrls: [image] }
    const [post] = await call(caller, 'POST /api/posts/schedule', z.array(Made), body)
    return post?.id ?? ''
  }
  const show = (id: string) => call(caller, `GET /api/posts/${id}`, Shown)
  const published = (id: string) =>
    until(
      'the post is published',
      async () => {
        // A minute has a hundred calls.
        await sleep(1_000)
        const post = await show(id)
        expect(post.status).not.toBe('failed')
        return post.status === 'published' ? post : undefined
      },
      120_000,
    )
  const moved = await schedule('Moved forward', inMs(3_600_000))
  const dueAt = inMs(45_000)
  const waiting = await schedule('Due later', dueAt)
  const backup = await operate('backup', backups, '--state', state)
  expect(backup).toMatchObject({ code: 0, output: expect.stringMatching(/is complete: the table, and \d+ files/) })
  await call(caller, `PATCH /api/posts/${moved}`, z.unknown(), { scheduledAt: inMs(1_000) })
  await published(moved)
  await stop('SIGKILL')

  const restore = ['restore', backups, '--state', restored, '--key-file', keyFile]
  expect(await operate(...restore)).toMatchObject({ code: 0, output: expect.stringContaining(': bluesky 2.') })
  await serveOn(restored)
  await published(moved)
  const { publishedAt } = await published(waiting)
  expect(Date.parse(publishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(dueAt))
  expect(texts().sort()).toEqual(['Due later', 'Moved forward'])

  await stop('SIGTERM')
  await serveOn(restored)
  expect((await show(waiting)).status).toBe('published')
  expect(await operate(...restore)).toMatchObject({ code: 1, output: expect.stringContaining('stop it, and move') })
  expect(await operate('drill', backups, '--key-file', keyFile)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/is whole: \d+ rows, \d+ files \(.* MB\), \d+ keys, \d+ secrets\.$/m),
  })
  expect(readdirSync(folder).sort()).toEqual(['backups', 'key', 'restored', 'state'])
}, 360_000)
