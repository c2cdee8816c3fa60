import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { listen } from '../../infra/local/pages/server.ts'
import { isPart, type Part, synthesizeOnce } from './assembly.ts'
import { type DynamoDb, startDynamoDb } from './dynamodb.ts'

/** Longer than a busy machine takes for the templates, in milliseconds. */
const synthesisMs = 600_000

const partOf = async (part: Part) => join(await synthesizeOnce(part), part)

/** Creates for all test files, on the first request, what each path names: a part of `assembly.ts`, or the table. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let database: Promise<DynamoDb> | undefined
  const endpoint = async () => {
    if (process.env['TABLE'] !== 'dynamodb-local') return ''
    database ??= startDynamoDb()
    return (await database).endpoint
  }
  const made = new Map<string, Promise<string>>()
  const make = (name: string) => {
    const making = made.get(name) ?? (isPart(name) ? partOf(name) : endpoint())
    made.set(name, making)
    return making
  }
  const listener = await listen(0, { stalledMs: synthesisMs })
  listener.onRequest(({ url = '' }, response) => {
    make(url.slice(1)).then(
      (answer) => response.end(answer),
      (error: unknown) => response.writeHead(500).end(`the service cannot be started: ${reasonOf(error)}`),
    )
  })
  project.provide('sharedSetupUrl', listener.url)
  return async () => {
    await listener.close()
    await (await database?.catch(() => undefined))?.close()
  }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && 'stderr' in error) return String(error.stderr)
  return error instanceof Error ? error.message : String(error)
}
