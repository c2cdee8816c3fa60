import type { Post } from './row.ts'

/**
 * The version of a post as callers see it. It increases with every event, that is with every change of what the API shows;
 * `version` of the row only with those that make a message stale.
 */
export const versionOf = ({ sequence }: Pick<Post, 'sequence'>): number => sequence + 1
