import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
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
  builtServer,
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
  await builtServer()
  mkdirSync(backups)
  settings = {
    OWNER: owner,
    PORT: String(await freePort()),
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
const Shown = z.object({ status: z.string() })

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

test('what was published after the backup is not published again from it, and what is due later waits', async () => {
  await serveOn(state)
  await until('the first backup', () => running.output().includes('backup made') || undefined)
  const caller: Caller = await openWorkspace(running, `http://127.0.0.1:${settings['PORT']}`, owner)
  const { handle: identifier, appPassword } = blueskySeed.account
  const login = { identifier, appPassword, service: platforms.urls['bluesky'] }
  const { id: account } = await call(caller, 'POST /api/social-accounts/connect/bluesky', Made, login)
  const image = await uploadImage(caller)
  const schedule = async (content: string) => {
    const body = { socialAccountIds: [account], content, scheduledAt: inMs(3_600_000), mediaUrls: [image] }
    const [post] = await call(caller, 'POST /api/posts/schedule', z.array(Made), body)
    return post?.id ?? ''
  }
  const statusOf = async (id: string) => (await call(caller, `GET /api/posts/${id}`, Shown)).status
  const published = (id: string) =>
    until(
      'the post is published',
      async () => {
        // A minute has a hundred calls.
        await sleep(1_000)
        return (await statusOf(id)) === 'published' || undefined
      },
      // A lookup may wait for two runs of the sweeper.
      240_000,
    )
  const moved = await schedule('Moved forward')
  const later = await schedule('Due later')
  expect(await operate('backup', backups, '--state', state)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/is complete: the table, and [1-9]\d* files/),
  })
  await call(caller, `PATCH /api/posts/${moved}`, z.unknown(), { scheduledAt: inMs(1_000) })
  await published(moved)
  await stop('SIGKILL')

  const restore = ['restore', backups, '--state', restored, '--key-file', keyFile]
  expect(await operate(...restore)).toMatchObject({ code: 0, output: expect.stringContaining(': bluesky 2.') })
  await serveOn(restored)
  await published(moved)
  await stop('SIGTERM')
  await serveOn(restored)
  expect([await statusOf(moved), await statusOf(later)]).toEqual(['published', 'scheduled'])
  expect(platforms.published().map(({ text }) => text)).toEqual(['Moved forward'])
  expect(await operate(...restore)).toMatchObject({ code: 1, output: expect.stringContaining('stop it, and move') })
}, 600_000)

test('one command checks the newest backup, and the check of the settings says how old it is', async () => {
  const [drill, check] = [operate('drill', backups, '--key-file', keyFile), serve(settings, '--check')]
  expect(await drill).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^The backup of \S+ is whole: \d+ rows, \d+ files \(.* MB\), 1 key, \d+ secrets\.\n$/,
    ),
  })
  await check.ended
  expect(check.output()).toMatch(/^ok {4}Backups: .*, the newest is 0\.0 hours old$/m)
  expect(readdirSync(folder).sort()).toEqual(['backups', 'key', 'restored', 'state'])
})

test('a state of a newer format is refused before anything is written', async () => {
  const newer = join(folder, 'newer')
  mkdirSync(newer)
  writeFileSync(join(newer, 'format.json'), '{"format":2,"version":"7.8.9"}')
  const service = serve({ ...settings, STATE: newer })
  expect(await service.ended).toBe(1)
  expect(service.output()).toMatch(
    /was written by release 7\.8\.9, which this one \(\S+\) cannot read: install 7\.8\.9 or/,
  )
  expect(readdirSync(newer)).toEqual(['format.json'])
})
