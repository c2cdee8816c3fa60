import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { virtualClock } from '../../../../test/support/clock.ts'
import { settleRestore } from '../../../deploy/operator/settle-restore.ts'
import { backupsIn } from '../../backup/folder.ts'
import { drill, findBackup, restoreBackup } from '../../backup/restore.ts'
import type { Settle } from '../../backup/settle-table.ts'
import { takeBackup } from '../../backup/take.ts'
import { type Caller, call } from '../../demo/caller.ts'
import { uploadImage } from '../../demo/upload.ts'
import { blueskySeed } from '../../platforms/bluesky/seed.ts'
import { startPlatforms } from '../../platforms/start.ts'
import { layoutOf } from '../../start/layout.ts'
import { makeHome, openService, operate, type ServeOptions, seed } from './state.ts'

const Made = z.object({ id: z.string() })

const settle = () => Promise.resolve('')

const serve = async (options: ServeOptions = {}) => {
  const home = makeHome()
  onTestFinished(home.remove)
  const service = await openService(home.state, home.key, options)
  onTestFinished(() => service.close())
  return { ...home, service, caller: await seed(service) }
}

/** Uploads files and deletes some of them until it is stopped. */
const keepBusy = (caller: Caller) => {
  let goesOn = true
  const work = async () => {
    let count = 0
    for (; goesOn; count += 1) {
      const [stays, goes] = [await uploadImage(caller), await uploadImage(caller)]
      expect(stays).not.toBe(goes)
      await call(caller, `DELETE /api/media/${goes}`, z.unknown())
    }
    return count
  }
  const all = [work(), work()]
  return async () => {
    goesOn = false
    return (await Promise.all(all)).reduce((sum, count) => sum + count, 0)
  }
}

/** Adds files, so that one look at all of them takes as long as some uploads. */
const fill = (state: string, count: number): void => {
  const buckets = join(layoutOf(state).engines, 'buckets')
  const etag = createHash('md5').update('filler').digest('hex')
  for (let n = 0; n < count; n += 1) {
    const value = { key: `filler/${n}`, blob: `filler-${n}`, size: 6, etag, headers: {}, modifiedAt: 0 }
    writeFileSync(join(buckets, `${value.blob}.blob`), 'filler')
    writeFileSync(join(buckets, `object.${value.blob}.json`), JSON.stringify({ kind: 'object', bucket: 'any', value }))
  }
}

test('each of the backups that are made while files come and go is whole', async () => {
  const { state, backups, key, caller } = await serve()
  fill(state, 6_000)
  const stop = keepBusy(caller)
  for (let made = 1; made <= 2; made += 1)
    expect(await operate(['backup', backups, '--state', state])).toMatchObject({ code: 0 })
  expect(await stop()).toBeGreaterThan(5)
  const all = backupsIn(backups)
  expect(all).toHaveLength(2)
  for (const backup of all) {
    const { faults, files } = await drill({ backup, key, settle })
    expect(faults).toEqual([])
    expect(files).toBeGreaterThan(6_000)
  }
}, 300_000)

test('a restored service has no queue and no schedule of before, and publishes each post once, on time', async () => {
  const clock = virtualClock(Date.now())
  const platforms = await startPlatforms({ clock })
  onTestFinished(() => platforms.close())
  const allowedOrigins = [platforms.urls['bluesky'] ?? '']
  const { home, state, backups, key, caller, service } = await serve({ clock, allowedOrigins })
  const { handle: identifier, appPassword } = blueskySeed.account
  const login = { identifier, appPassword, service: platforms.urls['bluesky'] }
  const account = await call(caller, 'POST /api/social-accounts/connect/bluesky', Made, login)
  const schedule = async (content: string, afterMs: number) => {
    const scheduledAt = new Date(Date.now() + afterMs).toISOString()
    const body = { socialAccountIds: [account.id], content, scheduledAt }
    await call(caller, 'POST /api/posts/schedule', z.array(Made), body)
    return Date.parse(scheduledAt)
  }
  await schedule('Published meanwhile', 600_000)
  const dueMs = await schedule('Due later', 7_200_000)
  const { takenAtMs } = await takeBackup({ state, folder: backups, keep: 1 })
  await service.pass(3_600_000, { tickMinutes: 10 })
  const texts = () => platforms.published().map(({ text }) => text)
  expect(texts()).toEqual(['Published meanwhile'])
  await service.close()

  const restored = join(home, 'restored')
  // The restore is later than what was published.
  const settleThen: Settle = (ctx, atMs) => settleRestore({ ...ctx, clock }, atMs)
  const { settled } = await restoreBackup(restored, { backup: findBackup(backups), key, settle: settleThen })
  expect(settled).toContain(`since ${new Date(takenAtMs).toISOString()} and are looked up`)
  const parts = ['buckets', 'key-check.json', 'secrets.json', 'table.sqlite']
  expect(readdirSync(layoutOf(restored).engines).sort()).toEqual(parts)
  const again = await openService(restored, key, { clock, allowedOrigins })
  onTestFinished(() => again.close())
  await again.pass(dueMs + 600_000 - clock.now())
  expect(texts().sort()).toEqual(['Due later', 'Published meanwhile'])
  const [later] = platforms.published().filter(({ text }) => text === 'Due later')
  const lateMs = (later?.publishedAt ?? 0) - dueMs
  expect(lateMs).toBeGreaterThanOrEqual(0)
  expect(lateMs).toBeLessThan(1_000)
}, 300_000)

const [here, elsewhere] = [tmpdir(), '/dev/shm']
const isOtherDisk = (() => {
  const [one, other] = [here, elsewhere].map((folder) => statSync(folder, { throwIfNoEntry: false })?.dev)
  return other !== undefined && one !== other
})()

test.skipIf(!isOtherDisk)('on another disk, a file is copied once for all backups', async () => {
  const { state, key, caller } = await serve()
  const folder = mkdtempSync(join(elsewhere, 'backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await uploadImage(caller)
  await takeBackup({ state, folder, keep: 9 })
  await uploadImage(caller)
  const { path } = await takeBackup({ state, folder, keep: 9 })
  const buckets = join(path, 'engines/buckets')
  const links = readdirSync(buckets).map(
    (name) => `${name.replace(/^.*\./, '')} ${statSync(join(buckets, name)).nlink}`,
  )
  expect(links).toEqual(expect.arrayContaining(['blob 1', 'blob 2', 'json 1', 'json 2']))
  expect((await drill({ backup: findBackup(folder), key, settle })).faults).toEqual([])
})
