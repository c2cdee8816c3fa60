import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleOptions } from '../../infra/deploy/bundle.ts'
import { makeContext } from '../../shared/context.ts'
import type * as tables from '../../shared/db/table.ts'

const answers: { status: number; body: unknown }[] = []
const seen: { target: string | undefined; authorization: string | undefined }[] = []

const server = createServer((request, response) => {
  seen.push({ target: String(request.headers['x-amz-target']), authorization: request.headers.authorization })
  request.resume().on('end', () => {
    const { status, body } = answers.shift() ?? { status: 200, body: {} }
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
  })
})

let folder: string
let table: typeof tables
const ctx = makeContext({ TABLE_NAME: 'table' })
const key = { PK: 'a', SK: 'b' }
const failure = (name: string) => ({
  status: 400,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: `it was ${name}` },
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.env['AWS_REGION'] = 'eu-central-1'
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIDEXAMPLE'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'example'
  folder = await mkdtemp(join(tmpdir(), 'social-slim-'))
  const entry = fileURLToPath(new URL('../../shared/db/table.ts', import.meta.url))
  await build({ ...bundleOptions, entryPoints: [entry], outfile: join(folder, 'table.cjs') })
  table = createRequire(import.meta.url)(join(folder, 'table.cjs'))
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

test('a slim client signs and reads with the credentials of the function', async () => {
  answers.push({ status: 200, body: { Responses: { table: [{ PK: { S: 'a' }, SK: { S: 'b' }, n: { N: '7' } }] } } })
  expect(await table.get(ctx, key)).toEqual({ ...key, n: 7 })
  expect(seen.at(-1)?.target).toBe('DynamoDB_20120810.BatchGetItem')
  expect(seen.at(-1)?.authorization).toContain('Credential=AKIDEXAMPLE/')
  expect(seen.at(-1)?.authorization).toContain('/eu-central-1/dynamodb/aws4_request')
})

test('errors that the code distinguishes keep their class', async () => {
  answers.push(failure('ConditionalCheckFailedException'))
  await expect(table.put(ctx, key)).rejects.toBeInstanceOf(table.ConditionFailed)
  answers.push({
    status: 400,
    body: {
      ...failure('TransactionCanceledException').body,
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
    },
  })
  await expect(table.transact(ctx, () => [{ put: key }])).rejects.toMatchObject({
    name: 'TransactionFailed',
    codes: ['ConditionalCheckFailed', 'None'],
  })
})

test('errors without a class keep their name and message, and transient ones are retried', async () => {
  answers.push(failure('IndexNotFoundException'))
  await expect(table.put(ctx, key)).rejects.toMatchObject({
    name: 'IndexNotFoundException',
    message: 'it was IndexNotFoundException',
  })
  const before = seen.length
  answers.push(failure('ThrottlingException'), { status: 500, body: failure('InternalServerError').body })
  await table.put(ctx, key)
  expect(seen.length - before).toBe(3)
})
