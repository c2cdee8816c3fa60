import { limitsOf } from '../../../../shared/oauth/safety-limits.ts'
import { dayOf } from '../day.ts'
import { Action } from '../form.tsx'
import { api, workspace } from '../store.ts'
import { Listing } from '../table.tsx'

export const AssistantsSection = () => {
  const id = workspace.value?.id ?? ''
  const { listConnections, revokeConnection } = api().workspaces
  return (
    <Listing
      label="Assistants"
      empty="No assistants yet."
      read={async () => (await listConnections(id, { limit: 200 })).items}
      keys={[id]}
      keyOf={(connection) => connection.id}
      columns={(again) => [
        {
          name: 'Assistant',
          cell: ({ clientName, clientHost }) => `${clientName} (${clientHost ?? 'the name is not verified'})`,
        },
        { name: 'Acts for', cell: ({ userName }) => userName ?? 'A deleted account' },
        { name: 'Permissions', cell: ({ scopes }) => scopes.join(', ') },
        { name: 'Limits', cell: ({ safety }) => limitsOf(safety) },
        { name: 'Last used', cell: ({ lastUsedAt }) => dayOf(lastUsedAt, 'never') },
        {
          name: 'Actions',
          isUnnamed: true,
          cell: (connection) => (
            <Action
              name="Disconnect"
              of={connection.clientName}
              text="The assistant loses access right away."
              call={() => revokeConnection(id, connection.id)}
              done="Assistant disconnected"
              onDone={again}
            />
          ),
        },
      ]}
    />
  )
}
