import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { listen } from '../../infra/local/pages/server.ts'
import { synthesizeOnce } from './assembly.ts'
import { type DynamoDb, startDynamoDb } from './dynamodb.ts'
import type { SharedSetup } from './shared-setup.ts'

/** Longer than a busy machine takes for the templates, in milliseconds. */
const synthesisMs = 600_000

/** Offers the shared setup to all test files; a run without a service creates none. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  let database: Promise<DynamoDb> | undefined
  let setup: Promise<SharedSetup> | undefined
  const make = async (): Promise<SharedSetup> => {
    if (process.env['TABLE'] === 'dynamodb-local') database = startDynamoDb()
    const [started, folder] = await Promise.all([database, synthesizeOnce()])
    return {
      ...(started ? { dynamodb: started.endpoint } : {}),
      assembly: join(folder, 'assembly'),
      vectorAssembly: join(folder, 'vector-assembly'),
      openAiAssembly: join(folder, 'openai-assembly'),
      files: join(folder, 'files'),
    }
  }
  const listener = await listen(0, synthesisMs)
  listener.onRequest((_request, response) => {
    setup ??= make()
    setup.then(
      (made) => response.end(JSON.stringify(made)),
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
