import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { NotSignedIn } from '../errors.ts'
import { profileName, profileNamed, readConfig, writeConfig } from '../profile.ts'
import { makeClient } from '../session.ts'

/** Ends the session at the service; false if that was not possible. */
const revoke = async (baseUrl: string, token: string, stopped: AbortSignal): Promise<boolean> => {
  if (!token.startsWith('svc_ses_')) return false
  try {
    await makeClient(baseUrl, token).auth.signOut({ signal: stopped, maxRetries: 1, timeoutMs: 10_000 })
    return true
  } catch (error) {
    // 401: it has ended already.
    return error instanceof Error && 'status' in error && error.status === 401
  }
}

const logout = async ({ env, globals, out, stopped }: Cli): Promise<void> => {
  const config = readConfig(env, out.note)
  const name = profileName(globals().profile, env, config)
  const profile = profileNamed(config, name)
  if (profile === undefined) throw new NotSignedIn(`The profile "${name}" is not signed in.`)
  const { baseUrl, token } = profile
  const isRevoked = await revoke(baseUrl, token, stopped)
  const { [name]: _removed, ...profiles } = readConfig(env, out.note).profiles
  const [next = 'default'] = Object.keys(profiles)
  writeConfig(env, { current: config.current === name ? next : config.current, profiles })
  out.result({ profile: name, revoked: isRevoked }, () => out.line(`Signed out of ${baseUrl}.`))
  if (isRevoked) return
  if (token.startsWith('svc_pat_')) out.note('The token itself stays valid. Revoke it on the page of its workspace.')
  else out.note('The service could not be told. The session ends by itself 30 days after its start.')
}

export const addLogout = (program: Command, cli: Cli): void => {
  program
    .command('logout')
    .summary('sign out, and forget the token')
    .description('Ends the session at the service, and removes the profile from this machine.')
    .addHelpText('after', '\nExamples:\n  social logout\n  social logout --profile client-a')
    .action(() => logout(cli))
}
