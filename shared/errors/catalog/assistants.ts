import type { ErrorEntries } from '../reason.ts'

/** The limits that a person set when they connected an assistant. Only the MCP server returns them. */
export const assistantErrors = {
  assistant_drafts_only: {
    reason: 'forbidden',
    message: 'This connection may only write drafts. Save a draft, and leave the rest to the person.',
    meaning:
      'The person who connected the assistant allows it to read and to write drafts, and to change nothing else.',
    fix: 'Save a draft, which a person publishes, or connect the assistant again without this limit.',
  },
  assistant_quiet_hours: {
    reason: 'forbidden',
    message:
      'This connection publishes nothing from 22:00 to 07:00 (Europe/Berlin). Schedule it for 2026-12-02T06:00:00.000Z or later.',
    meaning: 'The post would be published in the quiet hours of the connection.',
    fix: 'Schedule the post for `nextAllowedAt` or later.',
  },
  assistant_budget_used: {
    reason: 'limited',
    message:
      'This connection creates, rewrites, or removes at most 5 posts a day, and fewer than 2 are left. Continue after 2026-12-02T00:00:00.000Z, or save drafts.',
    meaning: 'The assistant has created, rewritten, or removed as many posts as its connection allows in a day.',
    fix: 'Continue on the next day, save drafts, or connect the assistant again with another limit.',
  },
} as const satisfies ErrorEntries
