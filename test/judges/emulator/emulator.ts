import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { listen } from '../../../infra/local/pages/server.ts'
import { freePort } from '../../net/free-port.ts'
import { programFromPyPi } from '../../support/pypi.ts'

/** https://pypi.org/project/ministack/ (MIT). */
const version = '1.4.21'

const Mails = z.object({
  messages: z.record(z.string(), z.array(z.object({ To: z.array(z.string()), BodyText: z.string() }))),
})

export interface Emulator {
  url: string
  /** The variables by which the CDK and SDK clients find it. */
  env: Record<string, string>
  /** The texts of the emails that SES has taken for an address, oldest first. */
  mailsTo(address: string): Promise<string[]>
  /** What it has logged. */
  log(): string
  close(): Promise<void>
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}

/** Starts MiniStack on loopback with nothing in it. Functions run in processes of this Node. */
export const startEmulator = async (): Promise<Emulator> => {
  const program = await programFromPyPi('ministack', version)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'emulator-'))
  mkdirSync(join(folder, 'tmp'))
  const url = `http://127.0.0.1:${port}`
  const logFile = join(folder, 'log')
  const out = openSync(logFile, 'a')
  const child = spawn(program, [], {
    cwd: folder,
    env: {
      PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
      TMPDIR: join(folder, 'tmp'),
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      // Unbounded, as far as this machine goes.
      LAMBDA_ACCOUNT_CONCURRENCY: '0',
      S3_DATA_DIR: join(folder, 's3'),
      STATE_DIR: join(folder, 'state'),
    },
    stdio: ['ignore', out, out],
  })
  const log = () => readFileSync(logFile, 'utf8')
  const isUp = () =>
    fetch(`${url}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (tries === 300 || child.exitCode !== null) throw new Error(`the emulator does not start:\n${log()}`)
    await sleep(100)
  }
  return {
    url,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'us-east-1',
      AWS_DEFAULT_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
    },
    async mailsTo(address) {
      const { messages } = z.parse(Mails, await (await fetch(`${url}/_ministack/ses/messages`)).json())
      return Object.values(messages)
        .flat()
        .filter(({ To }) => To.includes(address))
        .map(({ BodyText }) => BodyText)
    },
    log,
    async close() {
      await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A separate host for the API, like a custom domain: its address is known before the stacks are deployed. */
export const startDomain = async () => {
  const listener = await listen(0)
  let origin = ''
  listener.onRequest((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const forwarded = request(`${origin}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  return {
    url: listener.url,
    close: listener.close,
    /** Maps the host to a stage of an API. */
    mapTo(url: string) {
      origin = url
    },
  }
}
