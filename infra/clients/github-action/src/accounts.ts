import type { Client } from '../../javascript/src/index.ts'
import { WrongInput } from './inputs.ts'

export type Account = Awaited<ReturnType<Client['socialAccounts']['list']>>[number]

/** The name that people use: `bluesky:ann.bsky.social`. */
export const accountName = ({ providerId, username, displayName, id }: Account): string =>
  `${providerId}:${username ?? displayName ?? id}`

const isNamed = (account: Account, given: string): boolean => {
  const lower = given.toLowerCase()
  return account.id === given || [account.providerId, accountName(account)].some((name) => name.toLowerCase() === lower)
}

/** The accounts that the names stand for, each once, in the order of the names. */
export const chooseAccounts = (accounts: readonly Account[], given: readonly string[]): Account[] => {
  const chosen = given.flatMap((name) => {
    const named = accounts.filter((account) => isNamed(account, name))
    if (named.length > 0) return named
    const known = accounts.map(accountName).join(', ') || 'none'
    throw new WrongInput(`accounts: "${name}" is no account of the workspace. Its accounts are: ${known}.`)
  })
  if (chosen.length === 0) throw new WrongInput('accounts is empty. Name accounts or platforms.')
  return [...new Set(chosen)]
}
