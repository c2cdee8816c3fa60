import { useState } from 'preact/hooks'
import { Action } from './form.tsx'
import { to } from './route.ts'
import { attempt, baseUrl, service } from './service.ts'

type User = Awaited<ReturnType<typeof service.auth.getSession>>['user']

/** Ends the session of this browser. */
export const SignOut = () => (
  <Action
    name="Sign out"
    call={() => service.auth.signOut()}
    onDone={() => location.assign(`${baseUrl}/login?notice=signed-out`)}
  />
)

/** Who is signed in, and what does not belong to a workspace. */
export const PersonMenu = () => {
  const [user, setUser] = useState<User>()
  // Only a menu that opens reads the name: the call has the low limit of sign-ins.
  const read = async () => setUser((await attempt(() => service.auth.getSession()))?.user)
  return (
    <>
      <button type="button" aria-label="Your menu" popovertarget="person">
        <span aria-hidden="true">☰</span>
      </button>
      <div
        id="person"
        popover="auto"
        onToggle={({ newState }) => {
          if (newState === 'open' && user === undefined) void read()
        }}
      >
        {user !== undefined && (
          <p>
            <strong>{user.name}</strong>
            <span class="soft">{user.email}</span>
          </p>
        )}
        <a href={to('settings')} onClick={({ currentTarget }) => currentTarget.parentElement?.hidePopover()}>
          Settings
        </a>
        <a href={`${baseUrl}/api/docs/guides/console`}>Guides</a>
        <a href={`${baseUrl}/api/health`}>Status</a>
        <SignOut />
      </div>
    </>
  )
}
