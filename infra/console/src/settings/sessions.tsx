import { dayOf } from '../day.ts'
import { Action } from '../form.tsx'
import { baseUrl, service } from '../service.ts'
import { Listing } from '../table.tsx'

const { auth } = service

const signOut = () => location.assign(`${baseUrl}/login?notice=signed-out`)

export const SessionsSection = () => (
  <Listing
    label="Sessions"
    empty="No sessions."
    read={async () => (await auth.listSessions({ limit: 200 })).items}
    keys={[]}
    keyOf={({ id }) => id}
    columns={(again) => [
      { name: 'Browser', cell: ({ userAgent, current }) => `${userAgent || 'Unknown'}${current ? ' (this one)' : ''}` },
      { name: 'Signed in', cell: ({ createdAt }) => dayOf(createdAt) },
      { name: 'Expires', cell: ({ expiresAt }) => dayOf(expiresAt) },
      {
        name: 'Actions',
        isUnnamed: true,
        cell: ({ id, userAgent, createdAt, current }) =>
          current ? (
            <Action name="Sign out" call={() => auth.signOut()} onDone={signOut} />
          ) : (
            <Action
              name="End"
              of={`${userAgent || 'Unknown'} of ${dayOf(createdAt)}`}
              call={() => auth.revokeSession(id)}
              done="Signed out"
              onDone={again}
            />
          ),
      },
    ]}
    actions={(again) => (
      <Action
        name="Sign out everywhere else"
        text="You stay signed in here. Tokens and assistants keep working."
        call={() => auth.revokeOtherSessions()}
        done="Signed out everywhere else"
        onDone={again}
      />
    )}
  />
)
