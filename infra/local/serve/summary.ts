import { definitions } from '../../../shared/platforms/definitions.ts'
import { platformsWithoutApp, type Settings } from './settings.ts'

const namesOf = (ids: readonly string[]): string =>
  definitions
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ')

interface Started {
  /** By which the owner chooses a password. */
  link: string | undefined
  hasNewKey: boolean
}

/** What the person who started the service has to know. */
export const describeStart = (settings: Settings, { link, hasNewKey }: Started): string => {
  const { baseUrl, mediaUrl, state, keyFile, owner, smtpUrl, backupFolder, backupHours } = settings
  const missing = platformsWithoutApp(settings)
  const ready = definitions.map(({ id }) => id).filter((id) => !missing.includes(id))
  const lines = [
    '',
    'The service is up, and publishes on the real platforms.',
    '',
    `  Console    ${baseUrl}/console`,
    `  API        ${baseUrl}/api/docs`,
    ...(mediaUrl === baseUrl ? [] : [`  Media      ${mediaUrl}`]),
    `  State      ${state}`,
    `  Key        ${keyFile}`,
    `  Backups    ${backupFolder === undefined ? 'none: set "backupFolder" to make them' : `${backupFolder}, every ${backupHours} h`}`,
    `  Platforms  ${namesOf(ready)}`,
    ...(missing.length === 0 ? [] : [`  Need "apps"  ${namesOf(missing)}`]),
    `  Emails     ${smtpUrl === undefined ? 'are printed here: set "smtpUrl" to send them' : 'are sent by SMTP'}`,
    '',
    ...(hasNewKey ? [`Store a copy of ${keyFile} apart from your backups: without it, they cannot be read.`, ''] : []),
    ...(link === undefined ? [] : [`Choose the password of ${owner} within an hour:`, '', `  ${link}`, '']),
    'Ctrl-C ends it. Posts that come due meanwhile are published after the next start.',
    '',
  ]
  return `${lines.join('\n')}\n`
}
