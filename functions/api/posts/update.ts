import * as z from 'zod/mini'
import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import { described } from '../../../shared/http/described.ts'
import { versionsIn } from '../../../shared/http/etag.ts'
import { idPath } from '../../../shared/http/id.ts'
import { changePost } from '../../../shared/posts/changes/change.ts'
import { changeErrors } from '../../../shared/posts/changes/refusals.ts'
import { UpdatePostRequest } from '../../../shared/posts/changes/requests.ts'
import { planErrors, planNeeds } from '../../../shared/posts/intake/accept.ts'
import { requestLiveEdit, Updated } from '../../../shared/posts/live/request-edit.ts'
import { findPost, postKeys } from '../../../shared/posts/reading/find.ts'
import { postTag } from '../../../shared/posts/reading/view.ts'

export const handler = endpoint(
  {
    method: 'PATCH',
    path: '/api/posts/{id}',
    summary: 'Update a post',
    description:
      'Changes the text, media, metadata, first comment, time, or external id of a post that is not live. With `live=true`, edits the text of a live post at its platform, where that permits it. Omitted fields keep their values. A failed post needs a new `scheduledAt`. With `If-Match`, changes the post only in the version that you read. In a thread, `scheduledAt` goes to the first tweet and moves all; the other fields change any tweet that is not live. A new time sends the event `post.rescheduled`, any other change `post.updated`; a change to equal values changes nothing.',
    access: scope('posts:schedule'),
    params: idPath('The ID of the post.'),
    query: z.strictObject({
      live: described(
        z.optional(z.enum(['true', 'false'])),
        '`true` edits a live post at its platform. An extension of the specification.',
      ),
    }),
    body: UpdatePostRequest,
    status: 200,
    data: Updated,
    etag: postTag,
    errors: [
      ...changeErrors,
      'post_changed',
      'invalid_post_status',
      'live_edit_not_supported',
      'thread_partially_published',
      ...planErrors,
    ],
    needs: planNeeds,
    prefetch: postKeys,
  },
  ({ ctx, workspace, params, query, body, prefetched, request }) => {
    const post = findPost(prefetched, workspace.id, params.id)
    const versions = versionsIn(request.ifMatch)
    return query.live === 'true'
      ? requestLiveEdit(ctx, workspace, post, { request: body, versions })
      : changePost(ctx, workspace, post, body, { versions })
  },
)
