import { dayOf } from '../day.ts'
import { Action } from '../form.tsx'
import { baseUrl, service } from '../service.ts'
import { Listing } from '../table.tsx'

const { auth } = service

const signOut = () => location.assign(`${baseUrl}/login?notice=signed-out`)

export const SessionsSection = () => (
  <Listing
    label="Sessions"
    empty="No session."
    read={async () => (await auth.listSessions({ limit: 200 })).items}
    keys={[]}
    keyOf={({ id }) => id}
    columns={(again) => [
      { name: 'Browser', cell: ({ userAgent, current }) => `${userAgent || 'Unknown'}${current ? ' (this one)' : ''}` },
      { name: 'Signed in', cell: ({ createdAt }) => dayOf(createdAt) },
      { name: 'Ends', cell: ({ expiresAt }) => dayOf(expiresAt) },
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
              done="The session has ended."
              onDone={again}
            />
          ),
      },
    ]}
    actions={(again) => (
      <Action
        name="End all other sessions"
        text="Signs you out everywhere but here. Tokens and assistants stay."
        call={() => auth.revokeOtherSessions()}
        done="All other sessions have ended."
        onDone={again}
      />
    )}
  />
)
