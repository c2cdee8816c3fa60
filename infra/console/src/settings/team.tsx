import type { Client } from 'social-publishing-client'
import { teamRights } from '../../../../shared/workspaces/team-rights.ts'
import { dayOf } from '../day.ts'
import { Action } from '../form.tsx'
import { Health } from '../parts.tsx'
import { service } from '../service.ts'
import { api, begin, workspace } from '../store.ts'
import { Listing } from '../table.tsx'
import { useRead } from '../use-read.ts'

type Member = Awaited<ReturnType<Client['team']['listMembers']>>['items'][number]

const nameOf = ({ name, email, userId }: Member): string => name ?? email ?? userId

interface MemberProps {
  workspaceId: string
  member: Member
  again: () => void
}

const MemberActions = ({ workspaceId, member, again }: MemberProps) => {
  const { userId, role, status } = member
  const [of, { team }] = [nameOf(member), api()]
  const rights = teamRights[workspace.value?.role ?? 'member']
  const other = role === 'admin' ? 'member' : 'admin'
  return (
    <>
      {rights.changeRole.includes(role) && (
        <Action
          name={other === 'admin' ? 'Change to admin' : 'Change to member'}
          of={of}
          call={() => team.changeRole(workspaceId, userId, { role: other })}
          done="Role changed"
          onDone={again}
        />
      )}
      {rights.suspend.includes(role) && status === 'active' && (
        <Action
          name="Suspend"
          of={of}
          text="They lose access to this workspace until you reactivate them."
          call={() => team.suspend(workspaceId, userId)}
          done="Suspended"
          onDone={again}
        />
      )}
      {rights.reactivate.includes(role) && status === 'suspended' && (
        <Action
          name="Reactivate"
          of={of}
          call={() => team.reactivate(workspaceId, userId)}
          done="Reactivated"
          onDone={again}
        />
      )}
      {rights.remove.includes(role) && (
        <Action
          name="Remove"
          of={of}
          text="They lose access, and so do their tokens and assistants here."
          call={() => team.remove(workspaceId, userId)}
          done="Removed"
          onDone={again}
        />
      )}
      {rights.makeOwner.includes(role) && status === 'active' && (
        <Action
          name="Transfer ownership"
          of={of}
          text="They become the owner, and you become an admin. Only they can undo this."
          call={() => team.transferOwnership(workspaceId, { userId })}
          done="Ownership transferred"
          onDone={() => begin().then(again)}
        />
      )}
    </>
  )
}

const Leave = ({ workspaceId }: { workspaceId: string }) => (
  <Action
    name="Leave workspace"
    text="You lose access, and so do your tokens here."
    call={() => api().team.leave(workspaceId)}
    done="You left the workspace"
    onDone={begin}
  />
)

const Invitations = ({ workspaceId }: { workspaceId: string }) => {
  const { team } = api()
  const roles = teamRights[workspace.value?.role ?? 'member'].invite
  return (
    <Listing
      label="Invitations"
      empty="No pending invitations"
      read={async () => (await team.listInvitations(workspaceId, { limit: 200 })).items}
      keys={[workspaceId]}
      keyOf={({ id }) => id}
      columns={(again) => [
        { name: 'Email', cell: ({ email }) => email },
        { name: 'Role', cell: ({ role }) => role },
        { name: 'Sent by', cell: ({ inviterName }) => inviterName },
        { name: 'Expires', cell: ({ expiresAt }) => dayOf(expiresAt) },
        {
          name: 'Actions',
          isUnnamed: true,
          cell: ({ id, email, role }) =>
            roles.includes(role) && (
              <Action
                name="Revoke"
                of={email}
                text="The link in the email stops working."
                call={() => team.revokeInvitation(workspaceId, id)}
                done="Invitation revoked"
                onDone={again}
              />
            ),
        },
      ]}
      actions={(again) => (
        <Action
          isMain
          name="Invite"
          fields={[
            { name: 'email', label: 'Email', type: 'email' },
            {
              name: 'role',
              label: 'Role',
              value: 'member',
              choices: roles.map((id) => ({ id, name: id })),
            },
          ]}
          call={({ text }, options) =>
            team.invite(
              workspaceId,
              { email: text('email'), role: text('role') === 'admin' ? 'admin' : 'member' },
              options,
            )
          }
          done="Invitation sent"
          onDone={again}
        />
      )}
    />
  )
}

export const TeamSection = () => {
  const { id: workspaceId = '', role } = workspace.value ?? {}
  const [me] = useRead(() => service.auth.getSession(), [])
  return (
    <>
      <Listing
        label="Members"
        empty="No members."
        read={async () => (await api().team.listMembers(workspaceId, { limit: 200 })).items}
        keys={[workspaceId, role]}
        keyOf={({ userId }) => userId}
        columns={(again) => [
          { name: 'Name', cell: nameOf },
          { name: 'Email', cell: ({ email }) => email ?? '' },
          { name: 'Role', cell: (member) => member.role },
          { name: 'Status', cell: ({ status }) => <Health isGood={status === 'active'}>{status}</Health> },
          { name: 'Joined', cell: ({ joinedAt }) => dayOf(joinedAt) },
          {
            name: 'Actions',
            isUnnamed: true,
            cell: (member) =>
              member.userId !== me?.user.id ? (
                <MemberActions {...{ workspaceId, member, again }} />
              ) : (
                role !== 'owner' && <Leave workspaceId={workspaceId} />
              ),
          },
        ]}
      />
      {role !== 'member' && (
        <>
          <h2>Invitations</h2>
          <Invitations workspaceId={workspaceId} />
        </>
      )}
    </>
  )
}
