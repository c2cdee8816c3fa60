import type { Safety } from '../workspaces/assistant-connection.ts'

/** What limits an assistant beyond its scopes, for people. */
export const limitsOf = ({ draftsOnly, postsPerDay, quietHours }: Safety): string => {
  const limits = [
    draftsOnly ? 'only drafts' : undefined,
    postsPerDay === undefined ? undefined : `at most ${postsPerDay} ${postsPerDay === 1 ? 'post' : 'posts'} a day`,
    quietHours && `publishes nothing from ${quietHours.from} to ${quietHours.to} (${quietHours.timeZone})`,
  ].filter((limit) => limit !== undefined)
  return limits.length === 0 ? 'None' : limits.join(', ')
}
