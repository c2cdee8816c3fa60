import type { Recipe } from './recipe.ts'

/** A platform whose accounts are connected by a form, by the recipe "Add a platform" of shared/README.md. */
export const platformRecipe: Recipe = {
  own: {
    'shared/platforms/mastodon/definition.ts': `import { codePoints } from '../../text/counting.ts'
import type { PlatformDefinition } from '../definition.ts'

export const definition = {
  id: 'mastodon',
  name: 'Mastodon',
  connect: { fields: [{ autocomplete: 'off', name: 'token', label: 'Access token', type: 'password' }] },
  rules: {
    measures: [{ max: 500, unit: 'characters', counting: 'code points', count: codePoints, source: 'rules of this service' }],
    media: [{ min: 0, max: 0, mixed: false, source: 'rules of this service' }],
    emptyText: 'never',
  },
} satisfies PlatformDefinition
`,
    'shared/platforms/mastodon/connect.ts': `import type { CredentialLifecycle, ReadLogin } from '../connector.ts'
import { definition } from './definition.ts'

export const mastodon: CredentialLifecycle = {}

export const readMastodonLogin: ReadLogin =
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
    'shared/platforms/mastodon/errors.ts': `import type { ErrorResponse } from '../http.ts'
import { classified, commonErrors, type PlatformError } from '../platform-error.ts'

const { accessRevoked, postRejected } = commonErrors

export const classifyMastodonError = ({ status }: ErrorResponse): PlatformError =>
  classified('Mastodon', status === 401 ? accessRevoked : postRejected, { httpStatus: status })
`,
    'shared/platforms/mastodon/publish.ts': `import type { PlatformAdapter } from '../adapter.ts'
import { definition } from './definition.ts'

export const mastodon: PlatformAdapter = {
  ...definition,
  reconcileMethod: 'key',
  readLagSeconds: 0,
  commit: async (_call, _ref, id) => ({ id, url: null }),
  probe: async () => ({ kind: 'unclear' }),
}
`,
    'test/platforms/error-codes/mastodon.txt':
      'source: Mastodon API, Errors\nauth 401: "Unauthorized"\ninvalid 422: "Validation failed"\n',
    'infra/local/platforms/mastodon.ts': `import type { Platform } from './standin.ts'

const refuse = (status: number) => ({ status, body: { error: 'refused' } })

export const mastodon: Platform = {
  id: 'mastodon',
  name: 'Mastodon',
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
    'shared/resources.ts': ["  'slack',\n]", "  'slack',\n  'mastodon',\n]"],
    'shared/platforms/definitions.ts': [
      'import { definition as pinterest }([^]*?)  linkedin,\n}',
      "import { definition as mastodon } from './mastodon/definition.ts'\nimport { definition as pinterest }$1  linkedin,\n  mastodon,\n}",
    ],
    'shared/platforms/connectors.ts': [
      'import { pinterest }([^]*)CredentialLifecycle> = { bluesky }',
      "import { mastodon } from './mastodon/connect.ts'\nimport { pinterest }$1CredentialLifecycle> = { bluesky, mastodon }",
    ],
    'shared/platforms/form-logins.ts': [
      '\nconst readers([^]*)readBlueskyLogin }',
      "import { readMastodonLogin } from './mastodon/connect.ts'\n\nconst readers$1readBlueskyLogin, mastodon: readMastodonLogin }",
    ],
    'shared/platforms/adapters.ts': [
      'import { pinterest }([^]*?)  linkedin,\n}',
      "import { mastodon } from './mastodon/publish.ts'\nimport { pinterest }$1  linkedin,\n  mastodon,\n}",
    ],
    'infra/local/platforms/every.ts': [
      'import { pinterest }([^]*?)  linkedin,\n]',
      "import { mastodon } from './mastodon.ts'\nimport { pinterest }$1  linkedin,\n  mastodon,\n]",
    ],
    'test/platforms/error-codes.test.ts': [
      'import { classifyPinterestError }([^]*?)  pinterest: ',
      "import { classifyMastodonError } from '../../shared/platforms/mastodon/errors.ts'\nimport { classifyPinterestError }$1  mastodon: { body: () => ({}), classify: classifyMastodonError },\n  pinterest: ",
    ],
    'README.md': [
      'Discord, and Slack([^]*?\n\\| Slack \\|[^\n]*\n)',
      'Discord, Slack, and Mastodon$1| Mastodon | app password | 500 | 0 | 0 |\n',
    ],
    '.github/ISSUE_TEMPLATE/platform.yml': ['Discord, Slack\\]', 'Discord, Slack, Mastodon]'],
    'shared/home/landing-page.ts': ['Discord, and Slack', 'Discord, Slack, and Mastodon'],
    'infra/openapi/guides/platforms.md': [
      'Bluesky, Facebook, LinkedIn, Threads',
      'Bluesky, Facebook, LinkedIn, Mastodon, Threads',
    ],
    'CHANGELOG.md': ['### Added\n', '### Added\n- Mastodon.\n'],
  },
  commands: [],
  generated: [],
  tests: [
    'test/api/platforms/list.test.ts',
    'test/floors.test.ts',
    'test/infra/concurrency.test.ts',
    'test/infra/openapi.test.ts',
    'test/infra/stacks.test.ts',
    'test/platform-ids.test.ts',
    'test/platform-tables.test.ts',
    'test/platforms/error-codes.test.ts',
    'test/project-files.test.ts',
    'test/shape.test.ts',
  ],
}
