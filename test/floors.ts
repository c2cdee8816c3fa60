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
  ['quotas', 'plans'],
  ['events', 'audit'],
  ['identity'],
  ['workspaces'],
  ['access'],
  ['pages'],
  ['oauth'],
  ['mcp'],
  ['media'],
  ['platforms'],
  ['social-accounts', 'memory', 'notifications'],
  ['posts'],
  ['drafts', 'ai'],
  ['webhooks'],
  ['export'],
  ['billing', 'home'],
  ['deletion', 'usage'],
  ['sweeper'],
]
