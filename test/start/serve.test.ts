import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import { call } from '../../infra/local/demo/caller.ts'
import { drawImage } from '../../infra/local/demo/image.ts'
import { freePort } from '../net/free-port.ts'
import { hasCaddy, nameOf, startCaddy } from './caddy.ts'
import {
  buildWithinMs,
  nobody,
  openWorkspace,
  packServer,
  type Running,
  servePacked,
  signalGroup,
  until,
  untilServed,
} from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'surface-'))
let program: string
let running: Running
let smtp: SMTPServer
const mails: { from: string; text: string }[] = []
let ports: { api: number; caddy: number; metrics: number }

const settings = () => ({
  OWNER: 'ann@bakery.test',
  PORT: String(ports.api),
  BASE_URL: nameOf(ports.caddy),
  METRICS_PORT: String(ports.metrics),
  STATE: join(folder, 'state'),
  KEY_FILE: join(folder, 'key'),
  BACKUP_FOLDER: join(folder, 'backups'),
  MAIL_FROM: 'posts@bakery.test',
  SMTP_URL: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
})

/** A real SMTP server. */
const startSmtp = async (): Promise<SMTPServer> => {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, { envelope: { mailFrom } }, done) {
      mails.push({ from: mailFrom === false ? '' : mailFrom.address, text: await text(stream) })
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return server
}

beforeAll(async () => {
  smtp = await startSmtp()
  program = await packServer()
  mkdirSync(join(folder, 'backups'))
  if (process.getuid?.() === 0) for (const path of [folder, join(folder, 'backups')]) chownSync(path, nobody, nobody)
  ports = { api: await freePort(), caddy: await freePort(), metrics: await freePort() }
  running = servePacked(program, settings())
  await untilServed(running)
}, buildWithinMs)
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(resolve))
  if (running) signalGroup(running, 'SIGKILL')
  for (const path of [folder, program]) rmSync(path, { recursive: true, force: true })
})

/** The addresses at which a process listens, as Linux lists them (proc(5), /proc/net/tcp). */
const listening = (pid: number): { host: string; port: number }[] => {
  const sockets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)]
    } catch {
      return []
    }
  })
  const inodes = new Set(sockets.map((name) => /^socket:\[(\d+)\]$/.exec(name)?.[1]))
  return ['tcp', 'tcp6'].flatMap((kind) =>
    readFileSync(`/proc/${pid}/net/${kind}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && inodes.has(inode))
      .map(([, address = '']) => {
        const [host = '', port = ''] = address.split(':')
        return { host, port: Number.parseInt(port, 16) }
      }),
  )
}

/** 127.0.0.1 in that list. */
const loopback = '0100007F'

test('it listens on loopback only: the API, metrics, and one port for each engine', () => {
  const addresses = listening(running.child.pid ?? 0)
  expect(new Set(addresses.map(({ host }) => host))).toEqual(new Set([loopback]))
  expect(addresses.map(({ port }) => port)).toEqual(expect.arrayContaining([ports.api, ports.metrics]))
  // Buckets, bus, keys, mail, queues, schedules, secrets, and the table.
  expect(addresses).toHaveLength(2 + 8)
})

test('no page of the stand-ins and no address of them is left in the process', async () => {
  const answer = await fetch(`http://127.0.0.1:${ports.api}/local-pages.json`)
  expect(answer.status).toBe(404)
  expect(running.output()).not.toMatch(/Platforms page|Webhooks +http|demo@example\.com/)
})

test('its engines refuse the keys of a local service, and known key IDs without the secret of the run', async () => {
  const { AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint = '', ...keys } = JSON.parse(
    readFileSync(join(folder, 'state/operator.json'), 'utf8'),
  )
  const read = (accessKeyId: string, secretAccessKey: string) => {
    const credentials = { accessKeyId, secretAccessKey }
    const client = new SecretsManagerClient({ endpoint, region: 'us-east-1', credentials })
    return client.send(new GetSecretValueCommand({ SecretId: 'social/local/push/vapid' }))
  }
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = keys
  expect(await read(id, secret)).toMatchObject({ SecretString: expect.stringContaining('privateKey') })
  for (const guess of ['local', 'secret of social-local-publish-post', `${secret}0`])
    await expect(read(id, guess), guess).rejects.toMatchObject({ name: 'InvalidSignatureException' })
  await expect(read('ASIA0000000000000000', secret)).rejects.toMatchObject({ name: 'UnrecognizedClientException' })
})

test('it makes its first backup after the start', async () => {
  const [, path = ''] = await until(
    'the backup',
    () => /The backup (\S+) is complete/.exec(running.output()) ?? undefined,
  )
  expect(JSON.parse(readFileSync(join(path, 'backup.json'), 'utf8'))).toMatchObject({ format: 1 })
})

test('its metrics and its readiness are at a port of their own', async () => {
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${ports.metrics}${path}`)
    return [answer.status, await answer.text()] as const
  }
  expect(await read('/ready')).toEqual([200, '{"status":"ready"}'])
  expect((await read('/'))[0]).toBe(404)
  const [, text] = await read('/metrics')
  for (const name of ['process_resident_memory_bytes', 'social_disk_free_bytes', 'social_backup_timestamp_seconds'])
    expect(text).toMatch(new RegExp(`^${name} [1-9]`, 'm'))
  expect(text).toMatch(/^social_queue_messages\{queue="[\w-]+"\} \d+$/m)
  // It is not at the address of the API.
  expect((await fetch(`http://127.0.0.1:${ports.api}/metrics`)).status).toBe(404)
})

test('its emails arrive, from the sender of the settings', async () => {
  const body = JSON.stringify({ email: 'dee@bakery.test', password: 'oven-rye-seven-42', name: 'Dee' })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${ports.api}/api/auth/sign-up/email`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  const mail = await until('the email arrives', () => mails[0])
  expect(mail).toMatchObject({ from: 'posts@bakery.test', text: expect.stringContaining('/verify-email?token=3D') })
})

// Debian's package; without it, the test is skipped.
test.skipIf(!hasCaddy)('behind a proxy with TLS, people and files are at the public name', async () => {
  const site = await startCaddy(nameOf(ports.caddy), ports.api)
  onTestFinished(site.close)
  const page = await site.send('GET', '/login')
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<form') })
  expect(page.headers['strict-transport-security']).toBeDefined()

  const caller = await openWorkspace(running, `http://127.0.0.1:${ports.api}`, settings().OWNER)
  const type = 'image/png'
  const { bytes, width, height } = drawImage()
  const filename = 'cake.png'
  const file = { mimeType: type, fileSize: bytes.length }
  const Upload = z.object({ uploadUrl: z.string(), storageKey: z.string() })
  const { uploadUrl, storageKey } = await call(caller, 'POST /api/media/upload-url', Upload, { ...file, filename })
  expect(new URL(uploadUrl).origin).toBe(nameOf(ports.caddy))
  const path = uploadUrl.slice(nameOf(ports.caddy).length)
  const headers = { 'content-type': type, 'content-length': String(bytes.length) }
  expect(await site.send('PUT', path.replace('incoming', 'media'), headers, bytes)).toMatchObject({ status: 403 })
  expect(await site.send('PUT', path, headers, bytes)).toMatchObject({ status: 200 })
  const complete = { storageKey, originalFilename: filename, ...file, width, height }
  const { url } = await call(caller, 'POST /api/media/complete', z.object({ url: z.string() }), complete)
  expect(new URL(url).origin).toBe(nameOf(ports.caddy))
  const range = { range: 'bytes=1-3' }
  expect(await site.send('GET', new URL(url).pathname, range)).toMatchObject({ status: 206, text: 'PNG' })
})

test('a second process on the state, and a wrong setting, end with a sentence', async () => {
  const second = servePacked(program, settings())
  expect(await second.ended).toBe(1)
  expect(second.output()).toMatch(/A service runs on .* already, as process \d+: stop it first\./)
  const wrong = servePacked(program, { ...settings(), OWNER: 'ann', STATE: join(folder, 'other') })
  expect(await wrong.ended).toBe(2)
  expect(wrong.output()).toContain('"owner" is "ann".')
  expect(readdirSync(folder).sort()).toEqual(['backups', 'key', 'state'])
})

test('a signal ends it within the time of a service manager', async () => {
  signalGroup(running, 'SIGTERM')
  expect(await running.ended).toBe(0)
})
