import type { Patch } from './patched-tree.ts'

/** A release that puts one optional field more into the rows and messages of posts. */
export const nextRelease: readonly Patch[] = [
  {
    file: 'shared/posts/lifecycle/row.ts',
    text: '  groupId: z.string(),\n',
    by: '  groupId: z.string(),\n  release: z.optional(z.string()),\n',
  },
  {
    file: 'shared/posts/intake/accept.ts',
    text: '{ ...post, lastEventId: eventId(n) }',
    by: "{ ...post, release: 'next', lastEventId: eventId(n) }",
  },
  {
    file: 'shared/posts/lifecycle/work.ts',
    text: '  version: z.int(),\n})',
    by: '  version: z.int(),\n  release: z.optional(z.string()),\n})',
  },
  {
    file: 'shared/posts/lifecycle/work.ts',
    text: 'platform, version })',
    by: "platform, version, release: 'next' })",
  },
]
