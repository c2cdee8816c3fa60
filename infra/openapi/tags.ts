/** What the operations of each group are for, in the words of the reference. */
const descriptions: Readonly<Record<string, string>> = {
  posts: 'Schedule, publish, check, change, and cancel posts and threads.',
  media: 'Upload images and videos, and list what the library of a workspace has.',
  drafts: 'Keep unfinished posts, and edit them from several devices.',
  'social-accounts':
    'Connect accounts of the twelve platforms, and look up what their posts can name: boards, channels, flairs.',
  platforms: 'Read the rules of every platform as data: text, media, metadata.',
  webhooks: 'Receive signed events at your own endpoints, and read, repeat, and replay them.',
  memory: 'Store texts about a brand in collections, and search them.',
  ai: 'Write texts within the limits of each platform, rewrite them, and transcribe speech.',
  workspaces: 'Create, change, and delete workspaces, and read their quotas, exports, and audit trail.',
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
export const tagGroups = [
  { name: 'Publishing', tags: ['posts', 'media', 'drafts', 'social-accounts', 'platforms'] },
  { name: 'Events', tags: ['webhooks'] },
  { name: 'Writing', tags: ['memory', 'ai'] },
  { name: 'Administration', tags: ['workspaces', 'team', 'notifications', 'billing', 'auth', 'cli', 'meta'] },
]

const order = tagGroups.flatMap(({ tags }) => tags)

/** The groups of the operations in the order of the chapters, each with a title and a sentence. */
export const tagsOf = (groups: Iterable<string>) =>
  [...new Set(groups)]
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((name) => ({ name, 'x-displayName': titleOf(name), description: descriptions[name] }))
