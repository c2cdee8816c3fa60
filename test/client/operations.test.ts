import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clientRoutes, operationsSource } from '../../infra/clients/javascript/build/operations.ts'
import { createClient } from '../../infra/clients/javascript/src/index.ts'

test('the table of operations is what the contracts say; npm run build:client writes it', () => {
  const written = readFileSync(join(import.meta.dirname, '../../infra/clients/javascript/src/operations.ts'), 'utf8')
  expect(written).toBe(operationsSource())
})

test('the client has a method for every operation that programs call', () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1' }) as unknown as Record<string, Record<string, unknown>>
  const missing = clientRoutes
    .map(({ operation }) => operation)
    .filter((operation) => {
      const [group = '', name = ''] = operation.split('.')
      return typeof client[group]?.[name] !== 'function'
    })
  expect(clientRoutes.length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})
