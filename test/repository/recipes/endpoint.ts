import type { Recipe } from './recipe.ts'

/** `GET /api/posts/{id}/metrics`, by the recipe "Add an endpoint" of shared/README.md. */
export const endpointRecipe: Recipe = {
  own: {
    'functions/api/posts/get-metrics.ts': `import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { idPath } from '../../../shared/http/id.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'
import { PostMetrics, viewMetrics } from '../../../shared/posts/reading/metrics.ts'

export const handler = endpoint(
  {
    method: 'GET',
    path: '/api/posts/{id}/metrics',
    summary: 'Get the metrics of a post',
    description: 'Use it to see how often the service has tried to publish a post.',
    access: scope('posts:read'),
    params: idPath('The ID of the post.'),
    status: 200,
    data: PostMetrics,
    errors: ['post_not_found'],
    needs: ['table:read'],
    prefetch: postKeys,
  },
  ({ workspace, params, prefetched }) => viewMetrics(findPost(prefetched, workspace.id, params.id)),
)
`,
    'shared/posts/reading/metrics.ts': `import * as z from 'zod/mini'
import { described } from '../../http/described.ts'
import type { Post } from '../lifecycle/row.ts'

/** The metrics of a post. */
export const PostMetrics = z
  .object({ attempts: described(z.int(), 'How often the service has tried to publish the post.') })
  .register(z.globalRegistry, { id: 'PostMetrics', description: 'The metrics of a post.' })
type PostMetrics = z.infer<typeof PostMetrics>

/** The metrics of a post as the API shows them. */
export const viewMetrics = ({ attempts = [] }: Post): PostMetrics => ({ attempts: attempts.length })
`,
    'test/api/posts/metrics.test.ts': `import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePost } from '../../support/world/preparations.ts'
import { type Kit, start } from '../../support/start.ts'

let kit: Kit

beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

test('a post that waits has no attempts', async () => {
  const { id } = await makePost(kit)
  expect(await kit.api.posts.getMetrics({ params: { id } })).toEqual({ attempts: 0 })
})
`,
  },
  edits: {
    'functions/api/posts/index.ts': [
      'export { handler as getStatistics }',
      "export { handler as getMetrics } from './get-metrics.ts'\nexport { handler as getStatistics }",
    ],
    'infra/openapi/examples/posts.ts': ['  listAttempts: ', '  getMetrics: { params: { id } },\n  listAttempts: '],
    'infra/openapi/guides/posts.md': [
      '`GET /api/posts/\\{id}/attempts` returns',
      '`GET /api/posts/{id}/metrics` counts them. `GET /api/posts/{id}/attempts` returns',
    ],
    'CHANGELOG.md': ['## Unreleased\n', '## Unreleased\n\n### Added\n- `GET /api/posts/{id}/metrics`.\n'],
  },
  commands: [
    ['node', 'infra/commands/client.ts'],
    ['vitest', 'run', 'test/openapi/examples.law.ts'],
  ],
  generated: ['infra/clients/javascript/src/operations.ts', 'infra/openapi/examples/recorded/posts.json'],
  tests: [
    'test/api/posts/metrics.test.ts',
    'test/every-route/budgets.law.ts',
    'test/client/operations.test.ts',
    'test/repository/floors.test.ts',
    'test/infra/openapi.test.ts',
    'test/infra/stacks.test.ts',
    'test/repository/shape.test.ts',
  ],
}
