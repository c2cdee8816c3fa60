import { useEffect } from 'preact/hooks'
import { closingPlatforms, usePlatforms } from './compose/platforms.ts'
import { dayOf } from './day.ts'
import { Action } from './form.tsx'
import { AccountIcon, Empty, Health, PlatformIcon } from './parts.tsx'
import { sayReturn } from './returned.ts'
import { attempt, baseUrl } from './service.ts'
import { type Account, accounts, api, nameOf, readAccounts } from './store.ts'
import { now } from './time.ts'

type Platforms = NonNullable<
  NonNullable<Parameters<ReturnType<typeof api>['socialAccounts']['createLink']>[0]>['platforms']
>

/** Goes to the login of a platform, or to its form. Both come back here. */
const connect = async (platform: string): Promise<void> => {
  const request = { platforms: [platform] as Platforms, redirectUrl: `${baseUrl}/console` }
  const link = await attempt(() => api().socialAccounts.createLink(request))
  if (link !== undefined) location.assign(link.authorizeUrl)
}

/** The platforms, each with its logo, to add your own account. */
const AddAccount = () => {
  const platforms = usePlatforms()
  useEffect(() => sayReturn(platforms), [platforms])
  return (
    <>
      <h2>Add an account</h2>
      <ul class="platforms">
        {platforms.map(({ id, name }) => (
          <li key={id}>
            <button type="button" onClick={() => connect(id)}>
              <PlatformIcon platform={id} /> {name}
            </button>
          </li>
        ))}
      </ul>
      <p class="actions">
        <Action
          name="Send a link to someone else"
          call={() => api().socialAccounts.createLink({ expiresInSeconds: 7 * 24 * 3_600 })}
          secretOf={({ authorizeUrl, expiresAt }) => ({
            label: `Send this link to the owner of the account. It works until ${dayOf(expiresAt)}.`,
            value: authorizeUrl,
            isLink: true,
          })}
          onDone={readAccounts}
        />
      </p>
    </>
  )
}

/** How long the access lasts unless the account is connected again; undefined if the service renews it. */
const leftMs = ({ accessEndsAt }: Account): number | undefined =>
  accessEndsAt === null ? undefined : Date.parse(accessEndsAt) - now()

const stateOf = (account: Account): string => {
  const { isConnected, needsReconnect, accessEndsAt } = account
  if (!isConnected) return needsReconnect ? 'reconnect' : 'not connected'
  const left = leftMs(account)
  if (left === undefined) return 'connected'
  return left <= 0 ? 'access has ended' : `reconnect by ${dayOf(accessEndsAt)}`
}

/** How long before its end an access needs someone: as `social_account.access_ending`. */
const soonMs = 7 * 24 * 3_600_000

const Row = ({ account }: { account: Account }) => {
  const { id, providerId, username, isConnected } = account
  const isGood = isConnected && (leftMs(account) ?? soonMs) >= soonMs
  return (
    <li>
      <span class="what">
        <span class="text">
          <AccountIcon account={account} platform={providerId} />
          {nameOf(account)}
        </span>
        {username !== null && <span class="soft">@{username}</span>}
      </span>
      <Health isGood={isGood}>{stateOf(account)}</Health>
      {!isGood && (
        <button type="button" aria-label={`Reconnect ${nameOf(account)}`} onClick={() => connect(providerId)}>
          Reconnect
        </button>
      )}
      {isConnected && (
        <Action
          name="Disconnect"
          of={nameOf(account)}
          text="We’ll revoke access. Scheduled posts will fail unless you reconnect."
          call={() => api().socialAccounts.disconnect(id)}
          done={({ message }) => message}
          onDone={readAccounts}
        />
      )}
    </li>
  )
}

/** Reads the accounts again when the person comes back from another tab, where one may have been connected. */
const useFreshAccounts = (): void => {
  useEffect(() => {
    const onChange = () => {
      if (!document.hidden) void readAccounts()
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [])
}

/** The accounts of the workspace, and whether the service can publish to them. */
export const AccountsView = () => {
  useFreshAccounts()
  return (
    <section>
      <h1>Accounts</h1>
      {accounts.value.length === 0 ? (
        <Empty>No accounts yet.</Empty>
      ) : (
        <ul class="rows">
          {accounts.value.map((account) => (
            <Row key={account.id} account={account} />
          ))}
        </ul>
      )}
      <AddAccount />
      {closingPlatforms().map((closing) => (
        <p key={closing} class="soft">
          {closing}
        </p>
      ))}
    </section>
  )
}
