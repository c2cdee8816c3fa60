/**
 * The floors of shared/, from the ground up. A folder imports only from floors below its own; `.` holds the files at the
 * root of shared/. shared/README.md has what each folder is for.
 */
export const floors: readonly (readonly string[])[] = [
  ['errors', 'text'],
  ['.'],
  ['net', 'aws'],
  ['db'],
  ['limits'],
  ['http'],
  ['quotas'],
  ['events'],
  ['identity'],
  ['workspaces'],
  ['access'],
  ['pages'],
  ['media'],
  ['platforms'],
  ['social-accounts', 'memory'],
  ['posts'],
  ['drafts'],
  ['webhooks'],
  ['sweeper', 'deletion'],
]

/** Imports that break the order today. The list only gets shorter. */
export const known: readonly string[] = [
  'identity > workspaces',
  'quotas > identity',
  'quotas > media',
  'quotas > memory',
  'quotas > workspaces',
]
