import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { openSession, type Workspace, workspaceNamed } from '../session.ts'

const find = (workspaces: readonly Workspace[], given: string | undefined): Workspace | undefined => {
  if (given !== undefined) return workspaceNamed(workspaces, given)
  return workspaces.length === 1 ? workspaces[0] : undefined
}

const whoami = async (cli: Cli): Promise<void> => {
  const { out, stopped } = cli
  const { client, baseUrl, token, profile, workspace } = openSession(cli)
  const isSession = token.startsWith('svc_ses_')
  const session = isSession ? await client.auth.getSession({ signal: stopped }) : undefined
  const current = find(await client.workspaces.list({ signal: stopped }), workspace)
  const shown = {
    baseUrl,
    profile: profile ?? null,
    signedInWith: isSession ? ('session' as const) : ('token' as const),
    user: session?.user ?? null,
    expiresAt: session?.session.expiresAt ?? null,
    workspace: current ? { id: current.id, name: current.name, role: current.role } : null,
  }
  out.result(shown, () => {
    out.line(shown.user ? `${shown.user.name} <${shown.user.email}>` : 'A personal access token')
    out.line(`Service:   ${baseUrl}`)
    out.line(
      `Workspace: ${current ? `${current.name} (${current.id}), ${current.role}` : 'none chosen: social workspaces use <name>'}`,
    )
    out.line(`Profile:   ${profile ?? 'none: the token is that of SOCIAL_TOKEN'}`)
    if (shown.expiresAt) out.line(`Expires:   ${shown.expiresAt.slice(0, 10)}`)
  })
}

export const addWhoami = (program: Command, cli: Cli): void => {
  program
    .command('whoami')
    .summary('show who is signed in, and where')
    .description('Shows the person, the service, and the workspace that commands work in.')
    .addHelpText('after', '\nExamples:\n  social whoami\n  social whoami --json')
    .action(() => whoami(cli))
}
