import type { EmailMessage } from '../aws/email.ts'
import type { Notice, NoticeKind } from './notice.ts'

type Facts = Notice['facts']

/** What to do if it was not the owner. */
const otherwiseTexts = {
  reset: 'set a new password now',
  revoke: 'revoke the token, and set a new password now',
  disconnect: 'disconnect the assistant, and set a new password now',
} as const

interface EmailCopy {
  subject: string | ((facts: Facts) => string)
  /** What happened. */
  text: (facts: Facts) => string
  /** What to do if it was not the owner, or to get no more of these emails. */
  otherwise?: keyof typeof otherwiseTexts | 'settings'
}

/** What was created: a token of the person, or of the application with this ID. */
const createdToken = (application: string | undefined): string =>
  application === undefined ? 'personal access token' : 'token of an application'

const activeLists = ({ assistants = '', applicationTokens = '' }: Readonly<Record<string, string>>): string =>
  [
    assistants === '' ? '' : `\n\nThese assistants stay connected:\n\n${assistants}`,
    applicationTokens === '' ? '' : `\n\nThese tokens of applications stay active:\n\n${applicationTokens}`,
  ].join('')

const copy: Readonly<Record<NoticeKind, EmailCopy>> = {
  'password-changed': {
    subject: 'Your password was changed',
    text: (active) =>
      `Your password was changed, and you were signed out of all other sessions. Personal access tokens stay active.${activeLists(active)}`,
    otherwise: 'reset',
  },
  'password-reset': {
    subject: 'Your password was reset',
    text: ({ tokens = '', ...others }) =>
      `Your password was reset with a link from our email, and you were signed out everywhere.
${tokens === '' ? 'You have no active personal access tokens.' : `These personal access tokens stay active:\n\n${tokens}`}${activeLists(others)}`,
    otherwise: 'reset',
  },
  'signed-in-elsewhere': {
    subject: 'Sign-in from a new network',
    text: ({ ip = '' }) =>
      `Someone signed in to your account with your password from the network ${ip}. You have not signed in from this
network in the last 30 days.`,
    otherwise: 'reset',
  },
  'token-created': {
    subject: ({ application }) => `A ${createdToken(application)} was created`,
    text: ({ token = '', scopes = '', expiresAt, application }) =>
      `A ${createdToken(application)} was created with your account: ${token}
${application === undefined ? `Its scopes: ${scopes}` : `It acts for the application ${application}.`}
${expiresAt === undefined ? 'It does not expire.' : `It expires: ${expiresAt}`}`,
    otherwise: 'revoke',
  },
  'assistant-connected': {
    subject: 'An assistant was connected',
    text: ({ assistant = '', host = '', workspace = '', workspaceId = '', allowed = '', baseUrl = '' }) =>
      `The assistant ${assistant}${host === '' ? '' : ` of ${host}`} can act for you in the workspace ${workspace}. It chose that name; we have not
verified it. It can:

${allowed}

Disconnect it at any time: ${baseUrl}/workspace?id=${workspaceId}`,
    otherwise: 'disconnect',
  },
  'token-expiring': {
    subject: ({ application }) => `A ${createdToken(application)} expires soon`,
    text: ({ token = '', days = '', expiresAt = '', application }) =>
      `${application === undefined ? 'Your personal access token' : `The token of the application ${application}`} ${token}
expires in ${days} days, at ${expiresAt}. We reject its calls from then on. If a program uses it, replace it with a new
token before that time.`,
  },
  'two-factor-on': {
    subject: 'Two-factor authentication was turned on',
    text: () => 'You now need a code from your authenticator app, as well as your password, to sign in.',
    otherwise: 'reset',
  },
  'two-factor-off': {
    subject: 'Two-factor authentication was turned off',
    text: ({ by }) =>
      `You now need only your password to sign in.${by === 'operator' ? ' An operator of the service turned two-factor authentication off.' : ''}`,
    otherwise: 'reset',
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    text: ({ left = '' }) =>
      `Someone signed in with a recovery code instead of a code from your authenticator app. The code no longer works. You have
${left} left. Create new codes before you run out.`,
    otherwise: 'reset',
  },
  notification: {
    subject: ({ subject = '' }) => subject,
    text: ({ text = '' }) => text,
    otherwise: 'settings',
  },
  'recovery-codes-replaced': {
    subject: 'Your recovery codes were replaced',
    text: () => 'Your account has new recovery codes. The old codes no longer work.',
    otherwise: 'reset',
  },
  'export-completed': {
    subject: 'Your export is ready',
    text: ({ exportId = '', expiresAt = '', baseUrl = '' }) =>
      `Your export ${exportId} is ready. Sign in to the workspace and create a download link. We delete the archive at
${expiresAt}, or an hour after its first download.

The guide "Your data" explains how: ${baseUrl}/api/docs`,
  },
  'export-failed': {
    subject: 'Your export failed',
    text: ({ exportId = '', reason = '' }) =>
      `Your export ${exportId} failed (${reason}), and we kept none of it. Request another export. If that fails too, ask the
operator of the service.`,
  },
}

const otherwise = (what: EmailCopy['otherwise'], baseUrl: string): string => {
  if (what === undefined) return ''
  if (what === 'settings') return `\nChoose what you are notified about: ${baseUrl}/notifications\n`
  return `\nIf this was not you, ${otherwiseTexts[what]}: ${baseUrl}/forgot-password\n`
}

/** The email of a notice. */
export const noticeEmail = (to: string, { kind, facts, dueAtMs }: Notice, baseUrl: string): EmailMessage => {
  const { subject, text, otherwise: what } = copy[kind]
  return {
    to,
    subject: typeof subject === 'string' ? subject : subject(facts),
    text: `${text({ ...facts, baseUrl })}\n\nTime: ${new Date(dueAtMs).toUTCString()}\n${otherwise(what, baseUrl)}`,
  }
}

/** A name that a person or an assistant typed, made safe for a line of an email. */
export const inLine = (name: string) => `"${name.replace(/[\p{C}\p{Zl}\p{Zp}"]/gu, ' ')}"`

/** A token in an email: its visible prefix and its name. */
export const tokenInEmail = (publicId: string, name: string, kind: 'pat' | 'app' = 'pat'): string =>
  `svc_${kind}_${publicId}… ${inLine(name)}`
