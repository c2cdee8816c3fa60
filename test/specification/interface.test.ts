import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../shared/version.ts'
import { type Kit, start } from '../support/start.ts'
import { described } from './interface.ts'

let kit: Kit | undefined
interface Document {
  info: { version: string }
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}
let paths: Document['paths'] = {}

beforeAll(async () => {
  kit = await start()
  const answer = await fetch(`${kit.url}/api/openapi.json`)
  const document = (await answer.json()) as Document
  expect([answer.status, document.info.version]).toEqual([200, version])
  paths = document.paths
})
afterAll(() => kit?.close())

test('every path begins with /api/', () => {
  expect(Object.keys(paths).length).toBeGreaterThan(40)
  expect(Object.keys(paths).filter((path) => !path.startsWith('/api/'))).toEqual([])
})

test.each(described)('$method $path is described with $status', ({ method, path, status }) => {
  const responses = Object.keys(paths[path]?.[method.toLowerCase()]?.responses ?? {})
  expect(responses).toContain(status)
})
