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
import type { ErrorEntries } from '../../shared/errors/entry.ts'
import { statusOf } from '../../shared/errors/reason.ts'

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
export const errorTables = (): string =>
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
