import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Log, LogFields } from '../../../../shared/context.ts'
import { backupsIn } from '../../backup/folder.ts'
import { repeatBackups } from '../../backup/repeat.ts'
import { findBackup } from '../../backup/restore.ts'
import { takeBackup } from '../../backup/take.ts'
import { uploadImage } from '../../demo/upload.ts'
import { claimFolder } from '../../start/claim-folder.ts'
import { holdSocket } from '../../start/hold-socket.ts'
import { layoutOf } from '../../start/layout.ts'
import { makeHome, openService, operate, operator, seed } from './state.ts'

let template: ReturnType<typeof makeHome>

/** One state with a file, and a backup of it, that each test gets a copy of. */
beforeAll(async () => {
  template = makeHome()
  const service = await openService(template.state, template.key)
  await uploadImage(await seed(service))
  await service.close()
  await takeBackup({ state: template.state, folder: template.backups, keep: 1 })
})
afterAll(() => template?.remove())

const openHome = () => {
  const home = makeHome()
  onTestFinished(home.remove)
  for (const name of ['state', 'backups', 'key']) {
    rmSync(join(home.home, name), { recursive: true })
    cpSync(join(template.home, name), join(home.home, name), { recursive: true })
  }
  const { state, backups: folder, keyFile } = home
  const restored = join(home.home, 'restored')
  return {
    ...home,
    restored,
    newest: () => findBackup(folder).path,
    take: (keep = 7) => takeBackup({ state, folder, keep }),
    drill: () => operate(['drill', folder, '--key-file', keyFile]),
    restore: () => operate(['restore', folder, '--state', restored, '--key-file', keyFile]),
  }
}

const nameOf = (path: string) => path.split('/').at(-1)

test('the newest backups stay, with everything that is no backup of this command', async () => {
  const { backups, take } = openHome()
  const others = ['notes', '2020-01-01T000000Z', '2020-01-01T000000Z.old']
  for (const name of [...others, '2020-01-01T000001Z.part']) mkdirSync(join(backups, name))
  const made = [await take(2), await take(2), await take(2)].map(({ path }) => nameOf(path))
  expect(readdirSync(backups).sort()).toEqual([...others, ...made.slice(-2)].sort())
})

test('half a backup is no backup', async () => {
  const { backups, newest } = openHome()
  const complete = newest()
  cpSync(complete, join(backups, '2999-01-01T000000Z.part'), { recursive: true })
  cpSync(complete, join(backups, '2999-01-01T000000Z'), { recursive: true })
  rmSync(join(backups, '2999-01-01T000000Z/backup.json'))
  expect(newest()).toBe(complete)
  rmSync(complete, { recursive: true })
  expect(newest).toThrow(`There is no complete backup in ${backups}`)
})

test('a backup has the rows, the files, and the encrypted secrets, and nothing has the key', () => {
  const { newest, key } = openHome()
  const files = readdirSync(newest(), { recursive: true, encoding: 'utf8' })
  const others = files.filter((file) => !file.startsWith('engines/buckets/')).sort()
  const engines = ['buckets', 'key-check.json', 'secrets.json', 'table.sqlite'].map((name) => `engines/${name}`)
  expect(others).toEqual(['backup.json', 'engines', ...engines])
  for (const file of files.filter((name) => statSync(join(newest(), name)).isFile())) {
    const content = readFileSync(join(newest(), file))
    for (const secret of [key, key.toString('base64'), key.toString('hex')])
      expect(content.includes(secret)).toBe(false)
  }
})

const blobIn = (backup: string) => {
  const buckets = join(backup, 'engines/buckets')
  const name = readdirSync(buckets).find((file) => file.endsWith('.blob'))
  return join(buckets, name ?? '')
}

const documentIn = (backup: string) => {
  const buckets = join(backup, 'engines/buckets')
  const name = readdirSync(buckets).find(
    (file) => /^object\./.test(file) && readFileSync(join(buckets, file), 'utf8').includes('.png'),
  )
  return join(buckets, name ?? '')
}

const damages: [string, (backup: string) => void, RegExp][] = [
  [
    'a changed byte of a file',
    (backup) => {
      const bytes = readFileSync(blobIn(backup))
      bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40)
      writeFileSync(blobIn(backup), bytes)
    },
    /the content of the file \S+ has changed/,
  ],
  ['a file that is cut', (backup) => truncateSync(blobIn(backup), 10), /the file \S+ has 10 bytes instead of \d+/],
  ['a file without its bytes', (backup) => rmSync(blobIn(backup)), /the file \S+ has no content/],
  ['a row without its file', (backup) => rmSync(documentIn(backup)), /the file \S+ is missing/],
  ['half a document', (backup) => truncateSync(documentIn(backup), 10), /object\.\w+\.json is not JSON/],
  ['half a table', (backup) => truncateSync(join(backup, 'engines/table.sqlite'), 10_000), /the table is corrupt/],
  [
    'changed secrets',
    (backup) => {
      const file = join(backup, 'engines/secrets.json')
      const content = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(file, JSON.stringify({ ...content, nonce: Buffer.alloc(12).toString('base64') }))
    },
    /the secrets cannot be decrypted/,
  ],
  ['a missing table', (backup) => rmSync(join(backup, 'engines/table.sqlite')), /was not restored: ENOENT/],
]

test.each(damages)('a drill says %s', async (_name, damage, sentence) => {
  const { backups, newest, drill } = openHome()
  damage(newest())
  const { code, output } = await drill()
  expect([code, output.trim().split('\n').length]).toEqual([1, 1])
  expect(output).toMatch(sentence)
  expect(readdirSync(backups)).toHaveLength(1)
})

test('a restore of a broken backup leaves nothing', async () => {
  const { home, newest, restore } = openHome()
  rmSync(blobIn(newest()))
  expect(await restore()).toEqual({
    code: 1,
    output: expect.stringMatching(/^The backup \S+ is broken: the file \S+ has no content\. Use another one\.\n$/),
  })
  expect(readdirSync(home).sort()).toEqual(['backups', 'key', 'state'])
})

test('a second backup of a state at the same time is refused', async () => {
  const { state, take } = openHome()
  const release = await holdSocket(layoutOf(state).backup)
  await expect(take()).rejects.toThrow(`Process ${process.pid} makes a backup of ${state}`)
  release?.()
  await take()
})

test('another key is refused, and a missing one', async () => {
  const { keyFile, drill, restore, restored } = openHome()
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
  expect(await drill()).toMatchObject({ code: 1, output: expect.stringContaining('is not the one that') })
  rmSync(keyFile)
  expect(await restore()).toMatchObject({ code: 1, output: expect.stringContaining('is missing') })
  expect(existsSync(restored)).toBe(false)
})

test('a backup and a state of a newer format are refused with the release to install', async () => {
  const { state, newest, drill, restore, restored, take } = openHome()
  const newer = JSON.stringify({ format: 2, version: '7.8.9' })
  writeFileSync(layoutOf(state).format, newer)
  await expect(take()).rejects.toThrow(/was written by release 7\.8\.9, .* install 7\.8\.9 or newer\./)
  const file = join(newest(), 'backup.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...JSON.parse(newer) }))
  for (const run of [drill, restore])
    expect(await run()).toMatchObject({ code: 1, output: expect.stringContaining('install 7.8.9 or newer') })
  expect(existsSync(restored)).toBe(false)
})

test('a restore needs an empty folder, replaces what a killed one has left, and names the format', async () => {
  const { restored, restore } = openHome()
  mkdirSync(`${restored}.restoring/engines`, { recursive: true })
  appendFileSync(`${restored}.restoring/engines/table.sqlite`, 'half')
  mkdirSync(restored)
  expect(await restore()).toMatchObject({ code: 0 })
  expect(readdirSync(restored).sort()).toEqual(['engines', 'format.json', 'running.sock'])
  expect(await restore()).toMatchObject({ code: 1, output: expect.stringMatching(/is not empty: name another one/) })
  await claimFolder(restored)
  expect(await restore()).toMatchObject({ code: 1, output: expect.stringMatching(/^A service runs on .*: stop it/) })
})

test('a folder that is missing, inside of the state, of another state, or of the system is refused', async () => {
  const { home, state, backups, take, newest } = openHome()
  const says = (folder: string, sentence: string) =>
    expect(takeBackup({ state, folder, keep: 1 })).rejects.toThrow(sentence)
  await says(join(home, 'unmounted/backups'), 'does not exist: create it, or mount its disk')
  mkdirSync(join(state, 'backups'))
  await says(join(state, 'backups'), 'choose one outside of it')
  await says('/sys', 'The folder must be writable and have space')
  await expect(takeBackup({ state: backups, folder: home, keep: 1 })).rejects.toThrow('name its folder with --state')
  writeFileSync(join(newest(), 'engines/key-check.json'), '{"keyedHash":"another"}')
  await expect(take()).rejects.toThrow('has backups of a state with another key')
})

test('a full disk ends a backup with a sentence, and leaves the earlier ones', async () => {
  const { state, backups, newest } = openHome()
  const before = readdirSync(backups)
  const { code, output } = await operate(['backup', backups, '--state', state, '--keep', '1'], 'ulimit -f 20')
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^The backup in .* failed: .*have space for the state\.\n$/),
  ])
  expect(readdirSync(backups)).toEqual(before)
  expect(newest()).toContain(before[0])
})

test('a backup is made when the newest is old enough, and a failure is logged with its reason', async () => {
  const { home, state, backups, newest } = openHome()
  const logged = (plan: { backupFolder: string; backupHours: number }) =>
    new Promise<[string, LogFields?]>((resolve) => {
      const line = (...said: [string, LogFields?]) => resolve(said)
      const log: Log = { info: line, warn: line, error: line }
      repeatBackups({ state, maxBackups: 3, operator, ...plan }, log)
    })
  const file = join(newest(), 'backup.json')
  const content = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...content, takenAtMs: content.takenAtMs - 3_600_000 }))
  const [said] = await logged({ backupFolder: backups, backupHours: 1 })
  expect([said, backupsIn(backups).length]).toEqual(['backup made', 2])
  const reason = expect.stringMatching(/^The folder for backups .* does not exist: create it, or mount its disk\.$/)
  expect(await logged({ backupFolder: join(home, 'gone'), backupHours: 1 })).toEqual(['backup failed', { reason }])
})
