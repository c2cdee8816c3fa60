import { describedRoutes } from '../../functions/routes.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import { version } from '../../shared/version.ts'
import { componentsWith } from './components.ts'
import { guideIndex } from './guides.ts'
import { operationOf } from './operation.ts'
import { positionOf } from './order.ts'
import { addExamples, collectSchemas, type Schema, type SchemaOf } from './schemas.ts'
import { webhooksOf } from './webhooks.ts'

const blockOf = (platform: string) => `${platform.replaceAll(' ', '')}Metadata`

/**
 * The blocks of `metadata` by platform, typed from the rules of the platforms: what `PostMetadata` and
 * `DraftMetadata` are in the document. A draft can have a block that is not complete, or not right.
 */
const metadataSchemas = (schemaOf: SchemaOf): Record<string, Schema> => {
  const blocks = definitions.flatMap(({ id, name, rules: { metadata } }) =>
    metadata === undefined
      ? []
      : [
          {
            id,
            block: blockOf(name),
            schema: {
              ...schemaOf(metadata.schema, 'input'),
              description: `What only ${name} has. ${metadata.required ? 'Posts to it need this block.' : 'Optional.'}`,
            } satisfies Schema,
          },
        ],
  )
  return {
    ...Object.fromEntries(blocks.map(({ block, schema }) => [block, schema])),
    PostMetadata: {
      type: 'object',
      description: 'Fields that only one platform has, by platform.',
      properties: Object.fromEntries(blocks.map(({ id, block }) => [id, { $ref: `#/components/schemas/${block}` }])),
    },
    DraftMetadata: {
      type: 'object',
      description:
        'Fields that only one platform has, by platform. Nothing in a draft is required, and nothing in it is checked before a post is made of it.',
      properties: Object.fromEntries(
        blocks.map(({ id, schema: { required: _, ...partial } }: { id: string; schema: Schema }) => [id, partial]),
      ),
    },
  }
}

/** The platforms after the twelve of the specification. */
const further = new Intl.ListFormat('en').format(definitions.slice(12).map(({ name }) => name))

/** What the operations of each group are for, as text of the reference. */
const descriptions: Readonly<Record<string, string>> = {
  posts: 'Schedule, publish, check, change, and cancel posts and threads.',
  media: 'Upload images, videos, documents, and captions, and list what the library of a workspace has.',
  drafts: 'Keep unfinished posts, and edit them from several devices.',
  'social-accounts': `Connect accounts of the twelve platforms of the specification and, as extensions, of ${further}, and look up what their posts can name: boards, channels, flairs.`,
  platforms: 'Read the rules of every platform as data: text, media, metadata.',
  webhooks: 'Receive signed events at your own endpoints, and read, repeat, and replay them.',
  memory: 'Store texts about a brand in collections, and search them.',
  ai: 'Write texts within the limits of each platform, rewrite them, and transcribe speech.',
  workspaces: 'Create, change, and delete workspaces, and read their quotas, exports, and audit trail.',
  application:
    'Work for the customers of your product: the application of a workspace, its tokens, and a child workspace for each customer. An extension of the specification.',
  team: 'Invite people to a workspace, and change what they may do.',
  notifications: 'Tell people about failures by push message and email.',
  billing: 'Read the plan of a workspace, and change it.',
  auth: 'Sign people up and in, and manage their passwords, sessions, and second factor.',
  cli: 'Create personal access tokens, and sign in devices without a browser.',
  meta: 'Read the health of the service and this reference.',
}

const titles: Readonly<Record<string, string>> = {
  'social-accounts': 'Social accounts',
  ai: 'AI',
  auth: 'Sign-in',
  cli: 'Tokens and devices',
  meta: 'Service',
}
const titleOf = (name: string) => titles[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** The chapters of the reference: publishing first, the administration of accounts last. */
const tagGroups = [
  { name: 'Publishing', tags: ['posts', 'media', 'drafts', 'social-accounts', 'platforms'] },
  { name: 'Events', tags: ['webhooks'] },
  { name: 'Writing', tags: ['memory', 'ai'] },
  {
    name: 'Administration',
    tags: ['workspaces', 'application', 'team', 'notifications', 'billing', 'auth', 'cli', 'meta'],
  },
]

const order = tagGroups.flatMap(({ tags }) => tags)

/** The groups of the operations in the order of the chapters, each with a title and a sentence. */
const tagsOf = (groups: Iterable<string>) =>
  [...new Set(groups)]
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((name) => ({ name, 'x-displayName': titleOf(name), description: descriptions[name] }))

/** The public interface as an OpenAPI 3.1 document, read off the contracts. */
export const openApiDocument = () => {
  const { schemaOf, components } = collectSchemas()
  const paths: Record<string, Record<string, unknown>> = {}
  const inOrder = describedRoutes.toSorted((a, b) => positionOf(a.operation) - positionOf(b.operation))
  for (const route of inOrder) {
    const { method, path } = route.endpoint.contract
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(route, schemaOf) }
  }
  for (const [name, schema] of Object.entries(metadataSchemas(schemaOf))) components.set(name, schema)
  addExamples(paths, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Social Publishing Service API',
      version,
      description: [
        'Schedules and publishes posts to social accounts, and reports every outcome with signed webhooks.',
        guideIndex(),
      ].join('\n\n'),
    },
    servers: [{ url: '/' }],
    tags: tagsOf(describedRoutes.map(({ group }) => group)),
    'x-tagGroups': tagGroups,
    paths,
    webhooks: webhooksOf(schemaOf),
    components: componentsWith(
      components,
      describedRoutes.map(({ endpoint }) => endpoint.contract),
    ),
  }
}
