import { scopes } from '../../../../shared/identity/scope.ts'
import { scopeLabels } from '../../../../shared/oauth/scopes.ts'
import { dayOf } from '../day.ts'
import { Action, type Field } from '../form.tsx'
import { service } from '../service.ts'
import { workspace, workspaces } from '../store.ts'
import { Listing } from '../table.tsx'

const fields: readonly Field[] = [
  { name: 'name', label: 'Name', hint: 'For example, the app that uses it.' },
  {
    name: 'scopes',
    label: 'Permissions',
    isMany: true,
    value: 'workspace:read\nposts:read',
    choices: [
      ...scopes.map((id) => ({ id, name: id, hint: scopeLabels[id] })),
      { id: '*', name: '*', hint: 'Full access, including permissions of later releases' },
    ],
  },
  {
    name: 'days',
    label: 'Expires',
    value: '365',
    choices: [
      { id: '30', name: 'In 30 days' },
      { id: '90', name: 'In 90 days' },
      { id: '365', name: 'In a year' },
      { id: '', name: 'Never' },
    ],
    isOptional: true,
  },
]

const workspaceName = (id: string): string => workspaces.value?.find((each) => each.id === id)?.name ?? id

export const TokensSection = () => (
  <>
    <p class="soft">
      Send a token as <code>Authorization: Bearer …</code>. Each works in one workspace. These are all your tokens, in
      every workspace.
    </p>
    <Listing
      label="Tokens"
      empty="No tokens yet."
      read={() => service.cli.listTokens()}
      keys={[]}
      keyOf={({ id }) => id}
      columns={(again) => [
        { name: 'Name', cell: ({ name }) => name },
        { name: 'Workspace', cell: ({ workspaceId }) => workspaceName(workspaceId) },
        { name: 'Permissions', cell: (token) => token.scopes.join(', ') },
        { name: 'Last used', cell: ({ lastUsedAt }) => dayOf(lastUsedAt, 'never') },
        { name: 'Expires', cell: ({ expiresAt }) => dayOf(expiresAt, 'never') },
        {
          name: 'Actions',
          isUnnamed: true,
          cell: ({ id, name, revokedAt }) =>
            revokedAt !== null ? (
              `revoked ${dayOf(revokedAt)}`
            ) : (
              <Action
                name="Revoke"
                of={name}
                text="Apps that use this token stop working. You can’t undo this."
                call={() => service.cli.revokeToken(id)}
                done="Token revoked"
                onDone={again}
              />
            ),
        },
      ]}
      actions={(again) => (
        <Action
          isMain
          name="Create token"
          of={`for ${workspace.value?.name}`}
          fields={fields}
          call={({ text, list }) =>
            service.cli.createToken({
              name: text('name'),
              workspaceId: workspace.value?.id ?? '',
              scopes: list('scopes'),
              expiresInDays: text('days') === '' ? null : Number(text('days')),
            })
          }
          secretOf={({ token }) => ({ label: 'Copy your token now. You won’t see it again.', value: token })}
          onDone={again}
        />
      )}
    />
  </>
)
