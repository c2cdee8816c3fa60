import { arrival } from './arrival.ts'
import { say } from './service.ts'
import { accountOf, nameOf } from './store.ts'

/** How a login ended from which the browser comes back, until the page has reported it. */
let returned: URLSearchParams | undefined = arrival

const reasons: Readonly<Record<string, string>> = {
  platform_unavailable: 'The platform isn’t available right now. Try again later.',
  no_account_granted: 'You didn’t give access to an account that can receive posts.',
  connect_link_expired: 'The login took too long. Try again.',
}

/** Says which accounts the login has connected, or why it has not, as soon as the names of the platforms are known. */
export const sayReturn = (platforms: readonly { id: string; name: string }[]): void => {
  const name = platforms.find(({ id }) => id === returned?.get('platform'))?.name
  if (returned === undefined || name === undefined) return
  const value = (field: string) => returned?.get(field) ?? ''
  const ids = (value('accountId') || value('accountIds')).split(',')
  const names = ids.flatMap((id) => accountOf(id) ?? []).map(nameOf)
  if (value('status') === 'connected') say(`Connected: ${names.join(', ') || name}`)
  else if (value('status') === 'cancelled') say(`${name} isn’t connected: you canceled the login.`, { isBad: true })
  else say(`${name} isn’t connected. ${reasons[value('error')] ?? 'The login failed. Try again.'}`, { isBad: true })
  returned = undefined
}
