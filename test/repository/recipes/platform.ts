import type { Recipe } from './recipe.ts'

/** A platform whose accounts are connected by a form, by the recipe "Add a platform" of shared/README.md. */
export const platformRecipe: Recipe = {
  own: {
    'shared/platforms/tumblr/definition.ts': `import { codePoints } from '../../text/counting.ts'
import type { PlatformDefinition } from '../definition.ts'

export const definition = {
  id: 'tumblr',
  name: 'Tumblr',
  api: { version: null, endsOn: null, source: 'rules of this service' },
  postsAt: ['tumblr.com'],
  connect: { fields: [{ autocomplete: 'off', name: 'token', label: 'Access token', type: 'password' }] },
  rules: {
    measures: [{ max: 500, unit: 'characters', counting: 'code points', count: codePoints, source: 'rules of this service' }],
    media: [{ min: 0, max: 0, mixed: false, source: 'rules of this service' }],
    emptyText: 'never',
  },
} satisfies PlatformDefinition
`,
    'shared/platforms/tumblr/lifecycle.ts': `import type { CredentialLifecycle } from '../connector.ts'

export const tumblr: CredentialLifecycle = {}
`,
    'shared/platforms/tumblr/connect.ts': `import type { ReadLogin } from '../connector.ts'
import { definition } from './definition.ts'

export const readLogin: ReadLogin =
  ({ token = '' }) =>
  async () => ({
    platform: definition.id,
    providerName: definition.name,
    externalId: token,
    username: token,
    displayName: token,
    profileImageUrl: null,
    credentials: { token },
    details: {},
  })
`,
    'shared/platforms/tumblr/live.ts': `import type { LivePosts } from '../live-posts.ts'

export const live: LivePosts = { edit: 'Tumblr posts are not edited.', deletion: 'Tumblr posts are not deleted.' }
`,
    'shared/platforms/tumblr/example.ts': `import type { PlatformExample } from '../example.ts'

export const example: PlatformExample = { account: 'acc_4tR7mX2kV9wN5cB1pH8dQ3zG6' }
`,
    'shared/platforms/tumblr/errors.ts': `import type { ErrorResponse } from '../http.ts'
import { classified, commonErrors, type PlatformError } from '../platform-error.ts'

const { accessRevoked, postRejected } = commonErrors

export const classifyTumblrError = ({ status }: ErrorResponse): PlatformError =>
  classified('Tumblr', status === 401 ? accessRevoked : postRejected, { httpStatus: status })
`,
    'shared/platforms/tumblr/publish.ts': `import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'

export const tumblr: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'key',
  readLagSeconds: 0,
  commit: async (_call, _ref, id) => ({ id, url: null }),
  probe: async () => ({ kind: 'unclear' }),
}
`,
    'test/platforms/error-codes/tumblr.txt':
      'source: Tumblr API, Errors\nauth 401: "Unauthorized"\ninvalid 422: "Validation failed"\n',
    'test/platforms/error-codes/tumblr.ts': `import { classifyTumblrError } from '../../../shared/platforms/tumblr/errors.ts'
import type { Form } from './form.ts'

export const form: Form = { body: () => ({}), classify: classifyTumblrError }
`,
    'infra/local/platforms/tumblr.ts': `import type { Platform } from './standin.ts'

const refuse = (status: number) => ({ status, body: { error: 'refused' } })

export const tumblr: Platform = {
  id: 'tumblr',
  name: 'Tumblr',
  tint: '#6364ff',
  maxBodyBytes: 1_000_000,
  login: { token: 'demo' },
  build: () => ({
    routes: [],
    refusals: {
      status: refuse,
      rateLimited: () => refuse(429),
      tokenRevoked: () => refuse(401),
      blocked: () => refuse(403),
      tooLarge: () => refuse(413),
      unknownRoute: () => refuse(404),
    },
    headers: () => ({}),
    posts: () => [],
    other: () => undefined,
  }),
}
`,
  },
  edits: {
    'shared/resources.ts': ["  'nostr',\n]", "  'nostr',\n  'tumblr',\n]"],
    'README.md': [
      'WordPress, and Nostr([^]*?\n\\| Nostr \\|[^\n]*\n)',
      'WordPress, Nostr, and Tumblr$1| Tumblr | app password | 500 | 0 | 0 |\n',
    ],
    '.github/ISSUE_TEMPLATE/platform.yml': ['WordPress, Nostr\\]', 'WordPress, Nostr, Tumblr]'],
    'CHANGELOG.md': ['## Unreleased\n', '## Unreleased\n\n### Added\n- Tumblr.\n'],
  },
  commands: [['node', 'infra/commands/platforms.ts']],
  generated: [
    'infra/local/platforms/stand-ins.ts',
    ...['adapters', 'definitions', 'examples', 'form-logins', 'lifecycles', 'live-posts', 'summaries'].map(
      (name) => `shared/platforms/registry/${name}.ts`,
    ),
  ],
  tests: [
    'test/api/platforms/list.test.ts',
    'test/repository/floors.test.ts',
    'test/infra/concurrency.test.ts',
    'test/infra/openapi.test.ts',
    'test/infra/stacks.test.ts',
    'test/repository/platform-files.test.ts',
    'test/repository/platform-ids.test.ts',
    'test/repository/platform-tables.test.ts',
    'test/platforms/error-codes.test.ts',
    'test/repository/project-files.test.ts',
    'test/repository/shape.test.ts',
  ],
}
