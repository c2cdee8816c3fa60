import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { Usage } from '../errors.ts'
import { addGroup, addList } from '../group.ts'
import { profileNamed, readConfig, writeConfig } from '../profile.ts'
import { openSession, type Workspace, workspaceNamed } from '../session.ts'

const list = async (cli: Cli): Promise<void> => {
  const { out, stopped } = cli
  const { client, workspace } = openSession(cli)
  const workspaces = await client.workspaces.list({ signal: stopped })
  out.result(workspaces, () =>
    out.table<Workspace>(
      {
        ' ': ({ id, slug, name }) => ([id, slug, name].includes(workspace ?? '') ? '*' : ''),
        ID: ({ id }) => id,
        NAME: ({ name }) => name,
        ROLE: ({ role }) => role,
        'TIME ZONE': ({ timezone }) => timezone,
      },
      workspaces,
    ),
  )
}

const use = async (cli: Cli, given: string): Promise<void> => {
  const { out, env, stopped } = cli
  const { client, profile } = openSession(cli)
  if (profile === undefined)
    throw new Usage('The token is that of SOCIAL_TOKEN. Set SOCIAL_WORKSPACE to choose a workspace.')
  const { id, name } = workspaceNamed(await client.workspaces.list({ signal: stopped }), given)
  const config = readConfig(env, out.note)
  const before = profileNamed(config, profile)
  if (before) {
    const after = { ...before, workspaceId: id, workspaceName: name }
    writeConfig(env, { ...config, profiles: { ...config.profiles, [profile]: after } })
  }
  out.result({ profile, workspaceId: id, workspaceName: name }, () => out.line(`Commands now work in ${name}.`))
}

export const addWorkspaces = (program: Command, cli: Cli): void => {
  const group = addGroup(program, 'workspaces', 'list workspaces, and choose one', [
    'social workspaces',
    'social workspaces use acme',
  ])
  addList(group, 'list your workspaces; * marks the chosen one').action(() => list(cli))
  group
    .command('use')
    .description('Chooses the workspace of the profile.')
    .argument('<workspace>', 'its ID, slug, or name')
    .action((given: string) => use(cli, given))
}
