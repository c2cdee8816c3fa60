import { accessErrors } from './catalog/access.ts'
import { accountErrors } from './catalog/accounts.ts'
import { aiErrors } from './catalog/ai.ts'
import { assistantErrors } from './catalog/assistants.ts'
import { billingErrors } from './catalog/billing.ts'
import { dataErrors } from './catalog/data.ts'
import { draftErrors } from './catalog/drafts.ts'
import { identityErrors } from './catalog/identity.ts'
import { mediaErrors } from './catalog/media.ts'
import { memoryErrors } from './catalog/memory.ts'
import { notificationErrors } from './catalog/notifications.ts'
import { pageErrors } from './catalog/pages.ts'
import { postErrors } from './catalog/posts.ts'
import { requestErrors } from './catalog/requests.ts'
import { teamErrors } from './catalog/team.ts'
import { validationErrors } from './catalog/validation.ts'
import { webhookErrors } from './catalog/webhooks.ts'
import type { Reason } from './reason.ts'

/** Every error code of the API. Only its types are used at run time; documents and tests read its sentences. */
export const catalog = {
  ...requestErrors,
  ...accessErrors,
  ...identityErrors,
  ...teamErrors,
  ...accountErrors,
  ...postErrors,
  ...validationErrors,
  ...mediaErrors,
  ...draftErrors,
  ...memoryErrors,
  ...aiErrors,
  ...webhookErrors,
  ...notificationErrors,
  ...billingErrors,
  ...pageErrors,
  ...dataErrors,
  ...assistantErrors,
}

export type ErrorCode = keyof typeof catalog

/** The codes of one reason. */
export type CodeOf<R extends Reason> = {
  [Code in ErrorCode]: (typeof catalog)[Code]['reason'] extends R ? Code : never
}[ErrorCode]
