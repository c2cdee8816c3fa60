import type { Safety } from '../workspaces/assistant-connection.ts'

/** What limits an assistant beyond its scopes, for people. */
export const limitsOf = ({ draftsOnly, postsPerDay, quietHours }: Safety): string => {
  const limits = [
    draftsOnly ? 'drafts only' : undefined,
    postsPerDay === undefined ? undefined : `up to ${postsPerDay} ${postsPerDay === 1 ? 'post' : 'posts'} a day`,
    quietHours && `quiet from ${quietHours.from} to ${quietHours.to} (${quietHours.timeZone})`,
  ].filter((limit) => limit !== undefined)
  return limits.length === 0 ? 'None' : limits.join(', ')
}
