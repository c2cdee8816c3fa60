import { Empty } from './parts.tsx'
import { baseUrl } from './service.ts'
import { accounts, workspace } from './store.ts'

/** The accounts of the workspace, and whether the service can publish to them. */
export const AccountsView = () => {
  const connect = `${baseUrl}/workspace?id=${workspace.value?.id}`
  return (
    <section>
      <h1>Accounts</h1>
      {accounts.value.length === 0 ? (
        <Empty>No account is connected yet.</Empty>
      ) : (
        <ul class="rows">
          {accounts.value.map(({ id, providerName, username, displayName, isConnected, needsReconnect }) => (
            <li key={id}>
              <span class="what">
                <span class="text">
                  {providerName} · {displayName ?? username ?? id}
                </span>
                <span class="soft">{username === null ? id : `@${username}`}</span>
              </span>
              <span class={`state ${isConnected ? 'published' : 'failed'}`}>
                <span aria-hidden="true">{isConnected ? '✓' : '✕'}</span>{' '}
                {isConnected ? 'connected' : needsReconnect ? 'connect it again' : 'not connected'}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="actions">
        <a class="button main" href={connect}>
          Connect an account
        </a>
      </p>
    </section>
  )
}
