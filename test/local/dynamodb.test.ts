import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { javaMissing, startDynamoDb } from '../../infra/local/dynamodb.ts'

const launcher = join(import.meta.dirname, '../../infra/local/dynamodb.ts')

const groupExists = (pid: number) => {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

afterEach(() => vi.unstubAllEnvs())

test('the database answers until it is closed, and leaves no process', async () => {
  const { endpoint, pid, close } = await startDynamoDb()
  expect((await fetch(endpoint)).status).toBe(400)
  expect(groupExists(pid)).toBe(true)
  await close()
  expect(groupExists(pid)).toBe(false)
  await expect(fetch(endpoint)).rejects.toThrow()
})

test('a database that is killed is started again with every row that was answered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'killed-table-'))
  const said: string[] = []
  const database = await startDynamoDb({ folder, report: (line) => said.push(line) })
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  const credentials = { accessKeyId: 'ours', secretAccessKey: 'any' }
  const client = new DynamoDBClient({ endpoint: database.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 })
  await client.send(
    new CreateTableCommand({
      TableName: 'rows',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    }),
  )
  for (let round = 0; round < 3; round += 1) {
    const acknowledged: string[] = []
    for (let n = 0; n < 20; n += 1) {
      const PK = `${round} ${n}`
      await client.send(new PutItemCommand({ TableName: 'rows', Item: { PK: { S: PK } } }))
      acknowledged.push(PK)
    }
    const before = database.pid
    process.kill(-before, 'SIGKILL')
    const read = (PK: string) =>
      client.send(new GetItemCommand({ TableName: 'rows', Key: { PK: { S: PK } }, ConsistentRead: true })).then(
        ({ Item }) => Item?.['PK']?.S,
        () => 'no answer',
      )
    await expect.poll(() => read('0 0'), { timeout: 45_000, interval: 200 }).toBe('0 0')
    expect(database.pid).not.toBe(before)
    for (const PK of acknowledged) expect(await read(PK)).toBe(PK)
  }
  expect(said.filter((line) => line.includes('started again')).length).toBe(3)
  const stranger = { accessKeyId: 'madeup', secretAccessKey: 'any' }
  const spy = new DynamoDBClient({ endpoint: database.endpoint, region: 'us-east-1', credentials: stranger })
  expect((await spy.send(new ListTablesCommand({}))).TableNames).toEqual([])
}, 180_000)

test('it dies with a parent that is killed', async () => {
  const code = `
    import { startDynamoDb } from ${JSON.stringify(launcher)}
    process.stdout.write((await startDynamoDb()).endpoint, () => process.kill(process.pid, 'SIGKILL'))`
  const endpoint = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', code], (_killed, stdout) => resolve(stdout))
  })
  expect(endpoint).toMatch(/^http:/)
  const answers = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: 5_000 }).toBe(false)
})

test('without Java it says what to install', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'no-java-'))
  for (const name of ['sh', 'cat']) await symlink(`/bin/${name}`, join(folder, name))
  vi.stubEnv('PATH', folder)
  await expect(startDynamoDb()).rejects.toThrow(javaMissing)
  await rm(folder, { recursive: true })
})
