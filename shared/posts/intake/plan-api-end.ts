import type { Context } from '../../context.ts'
import type { Issue } from '../../errors/issue.ts'
import { apiEndsOn, closedSentence, endsBy, isClosed } from '../../platforms/api-end.ts'
import type { PlatformDefinition } from '../../platforms/definition.ts'
import type { Warning } from '../warning.ts'

const chooseEarlier = 'Choose an earlier time.'
const askOperator = 'Choose an earlier time, or ask the operator of this service for a newer release before then.'

/**
 * Adds the consequences of an API's end for a post that is due at a time: an issue if the API is closed, a warning if it
 * ends before. Decided: a version that has ended is no issue, since a platform may continue to serve it.
 */
export const planApiEnd = (
  ctx: Context,
  definition: PlatformDefinition,
  { socialAccountId, dueMs }: { socialAccountId: string; dueMs: number },
  { issues, warnings }: { issues: Issue[]; warnings: Warning[] },
): void => {
  const { id: platform, name, api } = definition
  if (isClosed(ctx, definition)) {
    const message = closedSentence(definition)
    const next = 'Send the post to other accounts.'
    issues.push({ socialAccountId, platform, code: 'platform_api_ended', field: 'socialAccountIds', message, next })
  } else if (endsBy(ctx, definition, dueMs)) {
    const version = `This service calls the version ${api.version} of the API of ${name}, which need not be answered from ${apiEndsOn(ctx, definition)} on.`
    warnings.push({
      socialAccountId,
      platform,
      code: 'platform_api_ends',
      field: 'scheduledAt',
      message: `${api.closing ?? version} The post is due after that.`,
      next: api.closing === undefined ? askOperator : chooseEarlier,
    })
  }
}
