import { type Scope, scopes } from '../identity/scope.ts'

/** Scopes that no tool needs. The consent page does not offer them. */
const unneeded: readonly Scope[] = ['workspace:write', 'webhooks:read']

/** The scopes that an assistant can get. */
export const assistantScopes: readonly Scope[] = scopes.filter((scope) => !unneeded.includes(scope))

/** What each scope allows, as described on the consent page. */
export const scopeLabels: Readonly<Record<Scope, string>> = {
  'workspace:read': 'See the workspace and its settings',
  'workspace:write': 'Change the settings of the workspace',
  'posts:read': 'See posts and their outcomes',
  'posts:schedule': 'Schedule, change, and cancel posts',
  'posts:publish': 'Publish posts now',
  'posts:delete': 'Delete posts',
  'drafts:write': 'Write drafts',
  'media:read': 'See images, videos, documents, and captions',
  'media:write': 'Upload images, videos, documents, and captions',
  'memory:read': 'See the memory of the workspace',
  'memory:write': 'Search and change the memory of the workspace',
  'accounts:read': 'See the connected accounts',
  'accounts:write': 'Connect and disconnect accounts',
  'webhooks:read': 'See webhooks and their deliveries',
}

/** Decided: these are checked at first only for an assistant that requests them, and not every scope. */
const sensitive: readonly Scope[] = ['posts:delete', 'accounts:write']

/** The boxes that are checked when the page opens. */
export const checkedAtFirst = (scopes: readonly Scope[], chosen: boolean): readonly Scope[] =>
  chosen ? scopes : scopes.filter((scope) => !sensitive.includes(scope))

const reading = assistantScopes.filter((scope) => scope.endsWith(':read'))

/** What a person can allow with one choice; `needs` is the scope without which the choice would be meaningless. */
export const presets = {
  drafts: {
    label: 'Read only, and write drafts for you to publish',
    needs: 'drafts:write',
    scopes: [...reading, 'drafts:write'],
  },
  schedule: {
    label: 'Read, write drafts, upload files, and schedule posts',
    needs: 'posts:schedule',
    scopes: [...reading, 'drafts:write', 'media:write', 'posts:schedule'],
  },
  everything: { label: 'Full access: everything it asks for', needs: undefined, scopes: assistantScopes },
} as const satisfies Readonly<Record<string, { label: string; needs: Scope | undefined; scopes: readonly Scope[] }>>
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

/** The choices that say something about these scopes. */
export const presetsFor = (offered: readonly Scope[]): Preset[] =>
  presetNames.filter((name) => {
    const { needs } = presets[name]
    return needs === undefined || offered.includes(needs)
  })
