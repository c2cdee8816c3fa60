import * as z from 'zod/mini'
import { type ErrorResponse, retryAfterOf } from '../http.ts'
import { type Classification, classified, commonErrors, type PlatformError, shortDetail } from '../platform-error.ts'

const name = 'WordPress'

const { accessRevoked, postRejected } = commonErrors

/** The user has lost the role: nothing can be published for them. */
const mayNotPublish: Classification = [
  'permission',
  'user may not publish posts at this site. Give the user the role Author or Editor, then reconnect the account.',
]
/** Only this post is not allowed. */
const mayNot = (sentence: string): Classification => ['permission', sentence, { otherPostsWork: true }]
const postGone: Classification = ['invalid', 'no longer has the post.', { notFound: true }]

/** The same name with another status is about a file (WordPress source, WP_REST_Attachments_Controller, 2026-11-27). */
const mayNotUpload = mayNot('user may not upload files. The role Author may.')

/** WordPress's names of errors (WordPress source, rest-api/endpoints, 2026-11-27). */
const byCode = new Map<string, Classification>([
  ['rest_cannot_publish', mayNotPublish],
  ['rest_cannot_create', mayNotPublish],
  ['rest_cannot_edit', mayNot('user may not edit this post.')],
  ['rest_cannot_delete', mayNot('user may not delete this post.')],
  ['rest_user_cannot_delete_post', mayNot('user may not delete this post.')],
  ['rest_cannot_assign_sticky', mayNot('user may not make posts sticky.')],
  ['rest_cannot_assign_term', mayNot('user may not assign these categories or tags.')],
  ['rest_post_invalid_id', postGone],
  ['rest_already_trashed', postGone],
  ['rest_comment_invalid_post_id', postGone],
  ['rest_comment_draft_post', postGone],
  ['rest_comment_trash_post', postGone],
  ['rest_comment_closed', ['invalid', 'post takes no comments: they are closed.']],
  ['comment_duplicate', ['duplicate', 'rejected the comment as a duplicate of an earlier one.']],
  ['rest_no_route', ['blocked', 'site has this part of its API switched off.']],
])

const byStatus = (status: number, isNamed: boolean): Classification => {
  if (status === 401) return accessRevoked
  // A response without an error name did not come from WordPress, but from a proxy in front of it.
  if (!isNamed && status !== 413) return ['blocked', 'site did not let this service reach its API']
  if (status === 403) return ['blocked', 'site does not allow this user to do that']
  if (status === 413) return ['invalid', 'site does not accept files of this size.']
  return postRejected
}

const ErrorBody = z.object({ code: z.string(), message: z._default(z.string(), '') })

/** Why the parameter `status` was refused, since WordPress 5.9. */
const ForbiddenStatus = z.object({
  data: z.object({
    details: z.object({
      status: z.object({ code: z.literal('rest_forbidden_status'), data: z.object({ status: z.int() }) }),
    }),
  }),
})

/**
 * Without a valid password, a list of drafts is not rejected as such: its `status` is an invalid parameter, with 401 in the
 * detail; 403 if the user may not see drafts (WordPress source, sanitize_post_statuses, 2026-11-27).
 */
const byForbiddenStatus = (body: unknown): Classification | undefined => {
  const seen = z.safeParse(ForbiddenStatus, body)
  if (!seen.success) return undefined
  return seen.data.data.details.status.data.status === 401 ? accessRevoked : mayNotPublish
}

/** A plugin that exposes the API to no one, or only to logins that it knows (plugin Disable REST API). */
const apiClosed: Classification = [
  'auth',
  'site does not let this service use its REST API. Ask its administrator to allow it, then reconnect the account',
]

/** Classifies an error response by its name, then by its status. */
export const classifyWordPressError = (response: ErrorResponse): PlatformError => {
  const { status } = response
  const body = z.safeParse(ErrorBody, response.body)
  const { code = '', message = '' } = body.data ?? {}
  const info = { httpStatus: status, code, detail: shortDetail(message || code || `HTTP ${status}`) }
  if (status === 429 || code === 'comment_flood') {
    return classified(name, commonErrors.rateLimited, { ...info, retryAfterSeconds: retryAfterOf(response) ?? 60 })
  }
  if (status === 400 && code === 'rest_cannot_create') return classified(name, mayNotUpload, info)
  if (status === 401 && code === 'rest_cannot_access') return classified(name, apiClosed, info)
  const named = status === 401 ? undefined : (byCode.get(code) ?? byForbiddenStatus(response.body))
  return classified(name, named ?? byStatus(status, body.success), info)
}
