import { Action } from './form.tsx'
import { Empty, Health } from './parts.tsx'
import { type Account, accounts, api, nameOf, readAccounts, zone } from './store.ts'
import { clockIn } from './time.ts'

type Platforms = NonNullable<
  NonNullable<Parameters<ReturnType<typeof api>['socialAccounts']['createLink']>[0]>['platforms']
>

/** Makes a link on which the owner of an account connects it, as customers do. */
const Connect = ({
  of,
  platforms,
  ...shown
}: {
  name: string
  of?: string
  isMain?: boolean
  platforms?: Platforms
}) => (
  <Action
    {...shown}
    {...(of && { of })}
    call={() => api().socialAccounts.createLink(platforms && { platforms })}
    secretOf={({ authorizeUrl, expiresAt }) => ({
      label: `Open this link, or send it to the owner of the account. It works until ${clockIn(Date.parse(expiresAt), zone.value)} (${zone.value}).`,
      value: authorizeUrl,
      isLink: true,
    })}
    onDone={readAccounts}
  />
)

const stateOf = ({ isConnected, needsReconnect }: Account): string =>
  isConnected ? 'connected' : needsReconnect ? 'connect it again' : 'not connected'

const Row = ({ account }: { account: Account }) => {
  const { id, providerId, username, isConnected } = account
  return (
    <li>
      <span class="what">
        <span class="text">{nameOf(account)}</span>
        <span class="soft">{username === null ? id : `@${username}`}</span>
      </span>
      <Health isGood={isConnected}>{stateOf(account)}</Health>
      {!isConnected && (
        <Connect name="Connect again" of={nameOf(account)} platforms={[providerId as Platforms[number]]} />
      )}
      {isConnected && (
        <Action
          name="Disconnect"
          of={nameOf(account)}
          text="The service revokes its access at the platform and deletes the credentials. Scheduled posts fail at their time unless the account is connected again."
          call={() => api().socialAccounts.disconnect(id)}
          done={({ message }) => message}
          onDone={readAccounts}
        />
      )}
    </li>
  )
}

/** The accounts of the workspace, and whether the service can publish to them. */
export const AccountsView = () => (
  <section>
    <h1>Accounts</h1>
    {accounts.value.length === 0 ? (
      <Empty>No account is connected yet.</Empty>
    ) : (
      <ul class="rows">
        {accounts.value.map((account) => (
          <Row key={account.id} account={account} />
        ))}
      </ul>
    )}
    <p class="actions">
      <Connect isMain name="Connect an account" />
    </p>
  </section>
)
