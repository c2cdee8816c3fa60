import { SocialError } from 'social-publishing-client'

/** What a person reads for each code of the API (shared/errors/catalog) and of its client, with what to do next. */
const sentences: Partial<Record<SocialError['code'], string>> = {
  connection_failed: 'Can’t reach the service. Check your connection and try again.',
  rate_limited: 'Too many requests. Wait a minute, then try again.',
  quota_rate_exceeded: 'You’ve reached today’s limit. Try again later.',
  quota_exceeded: 'You’ve reached a limit of your plan. Delete something, or upgrade.',
  plan_limit_reached: 'You’ve reached a limit of your plan. Upgrade to continue.',
  plan_too_small: 'Your plan doesn’t include this. Upgrade to continue.',
  subscription_required: 'You need a subscription for this. See Settings, Billing.',
  payment_overdue: 'A payment is overdue. See Settings, Billing.',
  timeout: 'The service took too long. Try again.',
  unavailable: 'The service is busy. Try again in a minute.',
  concurrent_update: 'Something changed at the same moment. Try again.',
  forbidden: 'You don’t have permission to do this.',
  access_denied: 'You don’t have permission to do this.',
  insufficient_role: 'Only owners and admins can do this.',
  insufficient_scope: 'You don’t have permission to do this.',
  owner_protected: 'You can’t change the owner. Transfer ownership first.',
  owner_cannot_leave: 'Transfer ownership before you leave.',
  cannot_act_on_self: 'You can’t do this to yourself.',
  membership_suspended: 'Your access to this workspace is suspended. Ask an owner or admin.',
  member_limit: 'Your plan doesn’t allow more people.',
  member_not_found: 'This person is no longer in the workspace.',
  already_member: 'This person is already in the workspace.',
  invitation_limit: 'There are too many pending invitations. Revoke one first.',
  incorrect_password: 'That password isn’t right.',
  password_too_common: 'This password is too common. Choose another one.',
  password_matches_account: 'Your password can’t be your name or email.',
  invalid_two_factor_code: 'That code isn’t right, or it expired. Enter the newest one.',
  enrollment_code_mismatch: 'That code isn’t right, or it expired. Enter the newest one.',
  post_not_found: 'This post no longer exists.',
  post_changed: 'Someone else changed this post. Open it again to see the changes.',
  publish_in_progress: 'This post is being published and may be live. Check again in a minute.',
  invalid_post_status: 'This post can no longer be changed. Open it again to see where it stands.',
  live_change_pending: 'The network is still changing this post. Try again in a few minutes.',
  live_edit_not_supported: 'You can’t edit this post here. Edit it on the network.',
  live_deletion_not_supported: 'You can’t delete this post here. Delete it on the network.',
  thread_partially_published: 'Part of this thread is live. You can only change its time.',
  not_thread_head: 'Move or cancel the first post of the thread; the rest follows.',
  threads_not_supported: 'This network doesn’t support threads.',
  first_comment_not_supported: 'This network doesn’t support first comments. Remove the comment.',
  group_too_large: 'This is too much for one post. Choose fewer accounts or files.',
  duplicate_account: 'You chose an account twice.',
  account_not_found: 'This account no longer exists.',
  account_disconnected: 'An account is disconnected. Reconnect it under Accounts.',
  account_access_revoked: 'The network revoked access to this account. Reconnect it under Accounts.',
  platform_unavailable: 'The network isn’t responding. Try again in a few minutes.',
  platform_rate_limited: 'The network asks us to slow down. Try again in a few minutes.',
  platform_not_configured: 'This network isn’t set up here. Ask the person who runs the service.',
  platform_api_ended: 'This network has closed its API.',
  platform_resource_not_found: 'The network can’t find this.',
  x_cap_exceeded: 'You’ve used all posts to X for this month.',
  draft_not_found: 'This draft no longer exists.',
  draft_changed: 'Someone else changed this draft. Open it again to see the changes.',
  media_not_found: 'A file no longer exists. Upload it again.',
  media_in_use: 'A scheduled post uses this file.',
  media_too_large: 'This file is too large.',
  media_empty: 'This file is empty. Choose another one.',
  media_truncated: 'This file is incomplete. Upload the whole file again.',
  media_damaged: 'This file is damaged. Export it again.',
  media_type: 'This isn’t a file that you can post. Save it as JPEG, PNG, or MP4.',
  file_not_uploaded: 'The upload didn’t finish. Try again.',
  upload_changed: 'The file changed during the upload. Try again.',
  upload_failed: 'The upload didn’t finish. Try again.',
  collection_not_found: 'This collection no longer exists.',
  collection_limit: 'You’ve reached the limit of collections. Delete one first.',
  memory_not_found: 'This memory no longer exists.',
  ai_not_configured: 'AI isn’t set up here. Ask the person who runs the service.',
  ai_budget_exceeded: 'You’ve used this month’s AI budget.',
  ai_content_filtered: 'AI refused this text. Change it and try again.',
  ai_unavailable: 'AI isn’t responding. Try again in a minute.',
  webhook_endpoint_not_found: 'This endpoint no longer exists.',
  webhook_endpoint_limit: 'You’ve reached the limit of endpoints. Delete one first.',
  webhook_endpoint_disabled: 'This endpoint is paused. Activate it first.',
  webhook_secret_limit: 'You can’t rotate the secret again yet. Wait until the old one expires.',
  replay_in_progress: 'A replay is already running. Wait until it ends.',
  url_not_allowed: 'This URL can’t be used. It must be public and start with https.',
  redirect_url_not_allowed: 'This URL can’t be used. It must be public and start with https.',
  email_not_verified: 'Confirm your email first.',
  email_not_sent: 'We couldn’t send the email. Try again in a minute.',
  token_not_found: 'This token no longer exists.',
  session_not_found: 'This session has already ended.',
}

/** What a person reads where a field of a request was refused. */
const fieldSentences: readonly (readonly [message: RegExp, sentence: string])[] = [
  [/"scheduledAt" must be in the future/, 'Pick a time in the future.'],
  [/"scheduledAt" must be .*ahead/, 'Pick a time within the next five years.'],
  [/"url"/, 'Check the URL. It must be public and start with https.'],
  [/"timezone"/, 'Choose a time zone from the list.'],
  [/"email"/, 'Check the email address.'],
]

/** What the rules of a platform refuse: their messages are for people, and name the platform. */
const ofRules =
  /^(?:content|hashtag|mention|cashtag|metadata|flair|creator)_|^media_(?:count|duration|dimensions|encoding|size|pixels|no_video)/

/** `replyControl` as "Reply control", `playlistId` as "Playlist ID", and `social_account` as "Social account". */
export const labelOf = (name: string): string => {
  const text = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/ (?:id|url)$/, (word) => word.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A refused field by its label: `"password" must have …` as "Password must have …". */
const refusalOf = (message: string): string =>
  fieldSentences.find(([pattern]) => pattern.test(message))?.[1] ??
  message.replace(/^"(?:\w+\.)*(\w+)"/, (_, name: string) => labelOf(name))

/** An error in a sentence with what to do next, and the words of the API where these differ. */
export const messageOf = (error: unknown): { text: string; details?: string } => {
  if (!(error instanceof SocialError)) return { text: 'Something went wrong. Try again.', details: String(error) }
  const { code, message } = error
  if (ofRules.test(code)) return { text: message }
  const ownText = code === 'invalid_input' ? refusalOf(message) : sentences[code]
  const text = ownText ?? 'Something went wrong on our side. Try again.'
  return { text, details: `${message} (${code})` }
}
