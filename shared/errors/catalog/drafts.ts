import type { ErrorEntries } from '../reason.ts'

/** Drafts. */
export const draftErrors = {
  draft_not_found: {
    reason: 'missing',
    message: 'This workspace has no draft drf_01KAJ2K6C8E0G2J4M6P8S0V2X4.',
    meaning: 'The workspace has no draft with this id.',
    fix: 'Use an id from GET /api/drafts.',
  },
  draft_changed: {
    reason: 'stale',
    message: 'The draft has changed since you read it and is now "3". Read it again, then send that value as If-Match.',
    meaning: 'The version of the draft differs from `If-Match`; nothing was changed.',
    fix: 'Read the draft again, then send its new `ETag` as `If-Match`.',
  },
} as const satisfies ErrorEntries
