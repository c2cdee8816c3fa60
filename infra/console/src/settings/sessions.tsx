import { dayOf } from '../day.ts'
import { Action } from '../form.tsx'
import { SignOut } from '../person.tsx'
import { service } from '../service.ts'
import { Listing } from '../table.tsx'

const { auth } = service

/** What browsers call themselves, and their names. Most also name another one: the first that matches counts. */
const browsers = {
  'Edg/': 'Edge',
  'OPR/': 'Opera',
  'FxiOS/': 'Firefox',
  'Firefox/': 'Firefox',
  'CriOS/': 'Chrome',
  'Chrome/': 'Chrome',
  'Safari/': 'Safari',
}
const systems = {
  Android: 'Android',
  iPhone: 'iPhone',
  iPad: 'iPad',
  Windows: 'Windows',
  'Mac OS': 'macOS',
  Linux: 'Linux',
}

/** "Chrome on Linux". Another program is shown as it calls itself. */
const browserOf = (userAgent: string): string => {
  const browser = Object.entries(browsers).find(([mark]) => userAgent.includes(mark))
  if (browser === undefined) return userAgent || 'Unknown'
  const system = Object.entries(systems).find(([mark]) => userAgent.includes(mark))
  return system === undefined ? browser[1] : `${browser[1]} on ${system[1]}`
}

export const SessionsSection = () => (
  <Listing
    label="Sessions"
    empty="No sessions."
    read={async () => (await auth.listSessions({ limit: 200 })).items}
    keys={[]}
    keyOf={({ id }) => id}
    columns={(again) => [
      {
        name: 'Browser',
        cell: ({ userAgent, current }) => (
          <span title={userAgent}>
            {browserOf(userAgent)}
            {current && ' (this one)'}
          </span>
        ),
      },
      { name: 'Signed in', cell: ({ createdAt }) => dayOf(createdAt) },
      { name: 'Expires', cell: ({ expiresAt }) => dayOf(expiresAt) },
      {
        name: 'Actions',
        isUnnamed: true,
        cell: ({ id, userAgent, createdAt, current }) =>
          current ? (
            <SignOut />
          ) : (
            <Action
              name="End"
              of={`${browserOf(userAgent)} of ${dayOf(createdAt)}`}
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
