import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { routes } from '../../../functions/routes.ts'
import { exampleOf } from '../../../infra/openapi/examples.ts'
import { codeSamples } from '../../../infra/openapi/samples.ts'
import { runSample } from '../../openapi/run-sample.ts'

const sourcesOf = (language: string): [operation: string, source: string][] =>
  routes.flatMap((route) =>
    codeSamples(route).flatMap(({ label, source }): [string, string][] =>
      label === language ? [[route.operation, source]] : [],
    ),
  )

const run = (program: string, ...args: readonly string[]) => execFileSync(program, args, { encoding: 'utf8' })

const written = (language: string, ending: string): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return sourcesOf(language).map(([operation, source]) => {
    const file = join(folder, `${operation}${ending}`)
    writeFileSync(file, source)
    return file
  })
}

test('all samples in Python compile', () => {
  const files = written('Python', '.py')
  expect(files.length).toBeGreaterThan(100)
  run('python3', '-m', 'py_compile', ...files)
})

test('all samples in Go are formatted as gofmt does it', () => {
  const files = written('Go', '.go')
  expect(files.length).toBeGreaterThan(100)
  expect(run('gofmt', '-l', ...files)).toBe('')
})

/** Answers every request, and keeps the last one. */
const listen = async () => {
  const seen: { request?: IncomingMessage; body?: string } = {}
  const server = createServer(async (request, response) => {
    Object.assign(seen, { request, body: await text(request) })
    response.writeHead(201, { 'Content-Type': 'application/json' }).end('{"success":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

// A call with each part that a sample may have, one with a query, and one with the workspace in its path.
const operations = ['posts.schedule', 'posts.list', 'team.invite', 'drafts.update']

test.each(
  operations.flatMap((operation) => (['Python', 'Go'] as const).map((language) => [operation, language] as const)),
)('%s in %s sends its example', async (operation, language) => {
  const { seen, url } = await listen()
  const [, source = ''] = sourcesOf(language).find(([name]) => name === operation) ?? []
  const env = { BASE: url, TOKEN: 'token', SESSION: 'token', WORKSPACE: 'ws_1' }
  expect(await runSample(language, source, env)).toBe('201 {"success":true}\n')
  const route = routes.find((each) => each.operation === operation)
  const { request } = exampleOf(operation)
  expect(seen.request?.method).toBe(route?.endpoint.contract.method)
  expect(seen.request?.headers).toMatchObject({ authorization: 'Bearer token', 'x-workspace-id': 'ws_1' })
  expect(seen.body === '' ? undefined : JSON.parse(seen.body ?? '')).toEqual(request)
})
