import { readFileSync } from 'node:fs'
import { auditActions } from '../../shared/audit/actions.ts'
import { accessErrors } from '../../shared/errors/catalog/access.ts'
import { accountErrors } from '../../shared/errors/catalog/accounts.ts'
import { aiErrors } from '../../shared/errors/catalog/ai.ts'
import { assistantErrors } from '../../shared/errors/catalog/assistants.ts'
import { billingErrors } from '../../shared/errors/catalog/billing.ts'
import { dataErrors } from '../../shared/errors/catalog/data.ts'
import { draftErrors } from '../../shared/errors/catalog/drafts.ts'
import { identityErrors } from '../../shared/errors/catalog/identity.ts'
import { mediaErrors } from '../../shared/errors/catalog/media.ts'
import { memoryErrors } from '../../shared/errors/catalog/memory.ts'
import { notificationErrors } from '../../shared/errors/catalog/notifications.ts'
import { postErrors } from '../../shared/errors/catalog/posts.ts'
import { requestErrors } from '../../shared/errors/catalog/requests.ts'
import { teamErrors } from '../../shared/errors/catalog/team.ts'
import { validationErrors } from '../../shared/errors/catalog/validation.ts'
import { webhookErrors } from '../../shared/errors/catalog/webhooks.ts'
import { type ErrorEntries, statusOf } from '../../shared/errors/reason.ts'
import { threadPlatforms } from '../../shared/posts/intake/thread-platforms.ts'

/** The actions of the audit trail as a Markdown table. */
const auditActionTable = (): string =>
  [
    '## Actions',
    '',
    '| Action | Meaning |',
    '| --- | --- |',
    ...Object.entries(auditActions).map(([action, meaning]) => `| \`${action}\` | ${meaning} |`),
  ].join('\n')

const areas: Readonly<Record<string, ErrorEntries>> = {
  'Every request': requestErrors,
  Access: accessErrors,
  'Accounts of people': identityErrors,
  'Workspaces and teams': teamErrors,
  'Social accounts and platforms': accountErrors,
  Posts: postErrors,
  'Validation of posts': validationErrors,
  Media: mediaErrors,
  Drafts: draftErrors,
  Memory: memoryErrors,
  AI: aiErrors,
  Webhooks: webhookErrors,
  Notifications: notificationErrors,
  'Your data': dataErrors,
  Billing: billingErrors,
  Assistants: assistantErrors,
}

const rowsOf = (entries: ErrorEntries) =>
  Object.entries(entries).map(
    ([code, { reason, meaning, fix }]) => `| \`${code}\` | ${statusOf[reason]} | ${meaning} | ${fix} |`,
  )

/** The error codes of the API as Markdown tables, one for each area of the catalog. */
const errorTables = (): string =>
  Object.entries(areas)
    .map(([title, entries]) =>
      [
        `## ${title}`,
        '',
        '| Code | Status | Meaning | What to do |',
        '| --- | --- | --- | --- |',
        ...rowsOf(entries),
      ].join('\n'),
    )
    .join('\n\n')

/** The guides in reading order, each with the sentence that the lists of guides show. */
const summaries = {
  'quick-start': 'Schedule a post, and receive its webhook.',
  authentication: 'Tokens, scopes, device login, second factor, and passwords.',
  console: 'Plan, write, and follow posts in the browser.',
  'connect-accounts': 'Connect and disconnect accounts of the fifteen platforms.',
  applications: 'Work for the customers of your product: a workspace for each, one token, one endpoint.',
  posts: 'Schedule, publish, change, and cancel posts, and read what became of them.',
  media: 'Upload images, videos, documents, and captions, and what becomes of them.',
  threads: `Threads on ${new Intl.ListFormat('en').format(threadPlatforms)}, and the monthly cap on X.`,
  drafts: 'Unfinished posts, edited by several people.',
  memory: 'Collections of texts, and how to search them.',
  webhooks: 'Create endpoints, verify deliveries, replay events, and read the event log.',
  'webhook-receivers': 'Complete receivers for Express, Next.js, FastAPI, Go, and AWS Lambda.',
  errors: 'How to handle errors, and every code.',
  idempotency: 'Repeat requests safely.',
  requests: 'Bodies, lists, and the order of checks.',
  'rate-limits': 'Limits of requests, and quotas of what is stored.',
  testing: 'Stand-ins of the platforms, and their faults.',
  clients: 'Post, upload, and verify webhooks from JavaScript and Python.',
  'command-line': 'Post, schedule in bulk, and follow events from a terminal.',
  ai: 'Write texts for each platform, rewrite them, and transcribe speech.',
  notifications: 'Push messages and emails to people.',
  billing: 'Plans, checkout, changes, and limits.',
  assistants: 'Let an assistant act for a person, with limits.',
  teams: 'Workspaces, members, and roles.',
  audit: 'Who changed what in a workspace.',
  'your-data': 'Export a workspace, import it, and delete an account.',
  'one-machine': 'Publish on the real platforms from one machine.',
  deploy: 'Run the service in your own AWS account.',
  'event-bus': 'Events for systems in the same AWS account.',
  platforms: 'Notes on each platform.',
} as const
type GuideName = keyof typeof summaries

export interface Guide {
  name: string
  title: string
  summary: string
  /** With a title of the first level. Links to other guides are relative: `media.md#limits`. */
  markdown: string
}

/** The generated part of a guide, from the catalogs. */
const generated: Partial<Record<GuideName, () => string>> = {
  audit: auditActionTable,
  errors: errorTables,
}

const read = (name: string) => readFileSync(new URL(`./guides/${name}.md`, import.meta.url), 'utf8').trim()

/** The guides for API users, in order. */
export const guides = (): Guide[] =>
  (Object.keys(summaries) as GuideName[]).map((name) => {
    const markdown = [read(name), ...(generated[name] ? [generated[name]()] : [])].join('\n\n')
    return { name, title: /^# (.+)/.exec(markdown)?.[1] ?? name, summary: summaries[name], markdown: `${markdown}\n` }
  })

/** The chapter of the reference that links to the guides. */
export const guideIndex = (): string =>
  guides()
    .map(({ name, title, summary }) => `## ${title}\n\n${summary} [Read the guide](/api/docs/guides/${name}).`)
    .join('\n\n')
