/** Folders from the ground up; each imports only from floors below its own. */
type Floors = readonly (readonly string[])[]

/**
 * The floors of each part of the project. `x.ts` beside a folder `x/` belongs to it; other files at the root are on a
 * floor of their own, or all together as `.`.
 */
export const floors: Readonly<Record<string, Floors>> = {
  // shared/README.md has what each folder is for.
  shared: [
    ['errors', 'text'],
    ['.'],
    ['net', 'aws'],
    ['db'],
    ['limits'],
    ['http'],
    ['quotas', 'plans', 'pauses'],
    ['events', 'audit'],
    ['commit'],
    ['identity'],
    ['workspaces'],
    ['applications'],
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
  ],
  infra: [
    ['console'],
    ['cost', 'layers', 'openapi', 'slim'],
    ['client', 'stacks'],
    ['client-python', 'local'],
    ['listen', 'operator', 'preflight', 'smoke'],
    ['cli', '.'],
    ['github-action', 'n8n'],
  ],
  'infra/local': [
    ['pages', 'progress.ts', 'stop.ts', 'template'],
    ['ai', 'iam'],
    ['engines'],
    ['gateway', 'media-host.ts', 'platforms', 'workers'],
    ['inbox', 'push', 'stripe'],
    ['service'],
    ['demo'],
    ['start'],
    ['env.ts'],
  ],
}
