import * as z from 'zod/mini'
import { describedRoutes } from '../../../../functions/routes.ts'
import { assert } from '../outcome.ts'
import type { Step } from '../world.ts'

const Health = z.object({ status: z.literal('ok'), checks: z.optional(z.object({ table: z.literal('ok') })) })

const Document = z.object({ openapi: z.string(), paths: z.record(z.string(), z.record(z.string(), z.unknown())) })

/** The operations that a document lacks. */
const missingIn = ({ paths }: z.infer<typeof Document>): string[] =>
  describedRoutes
    .map(({ endpoint: { contract } }) => contract)
    .filter(({ method, path }) => paths[path]?.[method.toLowerCase()] === undefined)
    .map(({ method, path }) => `${method} ${path}`)

/** What anyone may call. */
export const publicSteps: readonly Step[] = [
  {
    name: 'health',
    vital: true,
    async run({ api }) {
      const { success } = z.safeParse(Health, await api.meta.health())
      assert(success, 'GET /api/health does not say "ok". Is this the base URL of the API?')
      return undefined
    },
  },
  {
    name: 'deep health',
    async run({ api }) {
      const { success, data } = z.safeParse(Health, await api.meta.health({ query: { deep: 'true' } }))
      assert(success && data.checks?.table === 'ok', 'GET /api/health?deep=true does not say that the table answers')
      return undefined
    },
  },
  {
    name: 'OpenAPI document',
    async run({ api, wire }) {
      const { success, data: document } = z.safeParse(Document, await api.meta.openapi())
      assert(success && document.openapi.startsWith('3.1'), 'GET /api/openapi.json is no OpenAPI 3.1 document')
      const missing = missingIn(document)
      assert(
        missing.length === 0,
        `the document lacks ${missing.join(', ')}: the deployment is of another version than this repository`,
      )
      const etag = wire.last()?.headers.get('ETag')
      assert(etag, 'GET /api/openapi.json has no ETag')
      const { status } = await api.$raw('GET', '/api/openapi.json', { headers: { 'If-None-Match': etag } })
      assert(status === 304, `GET /api/openapi.json answered ${status} to its own ETag, not 304`)
      return `${describedRoutes.length} operations`
    },
  },
  {
    name: 'platforms',
    run: async ({ api }) => `${(await api.platforms.list()).length} platforms`,
  },
]
