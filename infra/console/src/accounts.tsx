import { closingPlatforms, usePlatforms } from './compose/platforms.ts'
import { Action } from './form.tsx'
import { Empty, Health } from './parts.tsx'
import { type Account, accounts, api, nameOf, readAccounts, zone } from './store.ts'
import { clockIn, formatDuration, now } from './time.ts'

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

/** How long the access lasts unless the account is connected again; undefined if the service renews it. */
const leftMs = ({ accessEndsAt }: Account): number | undefined =>
  accessEndsAt === null ? undefined : Date.parse(accessEndsAt) - now()

const stateOf = (account: Account): string => {
  const { isConnected, needsReconnect } = account
  if (!isConnected) return needsReconnect ? 'connect it again' : 'not connected'
  const left = leftMs(account)
  if (left === undefined) return 'connected'
  return left <= 0 ? 'access has ended' : `access ends in ${formatDuration(left)}`
}

/** How long before its end an access needs somebody: as `social_account.access_ending`. */
const soonMs = 7 * 24 * 3_600_000

const Row = ({ account }: { account: Account }) => {
  const { id, providerId, username, isConnected } = account
  const isGood = isConnected && (leftMs(account) ?? soonMs) >= soonMs
  return (
    <li>
      <span class="what">
        <span class="text">{nameOf(account)}</span>
        <span class="soft">{username === null ? id : `@${username}`}</span>
      </span>
      <Health isGood={isGood}>{stateOf(account)}</Health>
      {!isGood && <Connect name="Connect again" of={nameOf(account)} platforms={[providerId as Platforms[number]]} />}
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
export const AccountsView = () => {
  usePlatforms()
  return (
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
      {closingPlatforms().map((closing) => (
        <p key={closing} class="soft">
          {closing}
        </p>
      ))}
    </section>
  )
}
