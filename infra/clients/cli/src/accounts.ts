import { suggest } from '../../../../shared/http/suggest.ts'
import type { Client } from '../../javascript/src/index.ts'
import { Usage } from './errors.ts'

export type Account = Awaited<ReturnType<Client['socialAccounts']['list']>>[number]

/** The name that people use: `bluesky:ann.bsky.social`. */
export const accountName = ({ providerId, username, displayName, id }: Account): string =>
  `${providerId}:${username ?? displayName ?? id}`

/** A public key is as long as a terminal is wide: its beginning and end are enough to recognize it. */
const withShortKey = (name: string) => name.replace(/\b(npub1\w{4})\w{50}(\w{4})$/, '$1…$2')

/** The name for people: a key is shortened, unless two of the accounts would have the same name. */
export const shownName = (account: Account, accounts: readonly Account[]): string => {
  const [whole, short] = [accountName(account), withShortKey(accountName(account))]
  const isShared = accounts.some((other) => accountName(other) !== whole && withShortKey(accountName(other)) === short)
  return isShared ? whole : short
}

const matches = (account: Account, given: string): boolean => {
  const { id, providerId, username, displayName, externalId } = account
  if ([id, externalId].includes(given)) return true
  const lower = given.toLowerCase().replace(/^@/, '')
  const names = [providerId, username, displayName, accountName(account)].flatMap((name) => name?.toLowerCase() ?? [])
  const [start = '', end] = lower.split('…')
  // Tables show the start and the end of a long name.
  const isStartAndEnd = (name: string) =>
    end !== undefined && name.length >= lower.length && name.startsWith(start) && name.endsWith(end)
  return names.some((name) => name === lower || isStartAndEnd(name))
}

const namesOf = (some: readonly Account[], accounts: readonly Account[]): string =>
  some
    .slice(0, 8)
    .map((account) => shownName(account, accounts))
    .join(', ')

/** The account with an ID, a name, `platform:name`, or the name of a platform that has only one account. */
export const accountNamed = (accounts: readonly Account[], given: string): Account => {
  const matching = accounts.filter((account) => matches(account, given))
  if (matching.length === 1 && matching[0]) return matching[0]
  const list = (some: readonly Account[]) => namesOf(some, accounts)
  if (matching.length > 1)
    throw new Usage(`"${given}" is ${matching.length} accounts: ${list(matching)}. Name one of them.`)
  if (accounts.length === 0)
    throw new Usage('The workspace has no accounts. Connect one: social accounts connect <platform>')
  const more = accounts.length > 8 ? ', and more ("social accounts" lists them)' : ''
  const meant = suggest(
    given,
    accounts.flatMap(({ providerId, username }) => [providerId, ...(username === null ? [] : [username])]),
  )
  const hint = meant === undefined ? '' : `Did you mean "${meant}"? `
  throw new Usage(`"${given}" is not an account of this workspace. ${hint}It has ${list(accounts)}${more}.`)
}

/** The accounts of a post; without names the only one of the workspace. */
export const accountsNamed = (accounts: readonly Account[], given: readonly string[]): Account[] => {
  const [only, ...more] = accounts
  if (given.length > 0) return [...new Set(given.map((name) => accountNamed(accounts, name)))]
  if (only === undefined) return [accountNamed(accounts, '')]
  if (more.length === 0) return [only]
  throw new Usage(`Choose accounts with --account: ${namesOf(accounts, accounts)}.`)
}
