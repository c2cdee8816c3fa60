import { platformIds } from '../../shared/resources.ts'

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
  'shared/platforms': [
    ['definition.ts'],
    ['rules'],
    ['.'],
    ['graph'],
    [...platformIds],
    ['registry'],
    ['adapters.ts', 'definitions.ts'],
    ['connectors.ts'],
  ],
  'shared/posts': [
    ['lifecycle'],
    ['.'],
    ['dispatch', 'live-work'],
    ['reading'],
    ['imports', 'intake'],
    ['changes', 'publishing'],
    ['live'],
    ['after-restore.ts', 'rows.ts'],
  ],
  'shared/webhooks': [['health'], ['endpoints'], ['deliveries'], ['draining', 'replays'], ['rows.ts']],
  infra: [
    ['cost', 'layers', 'openapi', 'slim'],
    ['client', 'stacks'],
    ['client-python', 'console'],
    ['openapi.ts'],
    ['local'],
    ['listen', 'operator', 'preflight', 'smoke'],
    ['cli', '.'],
    ['github-action', 'n8n'],
    ['publish.ts'],
  ],
  'infra/console/src': [
    ['route.ts', 'service.ts', 'time.ts'],
    ['store.ts'],
    ['day.ts', 'parts.tsx', 'use-read.ts'],
    ['dialog.tsx', 'table.tsx'],
    ['form.tsx'],
    ['calendar', 'drafts.tsx', 'media', 'memory', 'numbers', 'settings', 'webhooks'],
    ['compose', 'post'],
    ['accounts.tsx'],
    ['index.tsx'],
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
