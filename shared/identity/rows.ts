import * as z from 'zod/mini'
import { sweepRule } from '../db/sweep-rule.ts'
import type { NoticeMessage } from './notice.ts'
import type { UnsentEmailMessage } from './unsent-email.ts'

export const identitySweepRules = [
  sweepRule({
    type: 'Notice',
    // The index always projects the table's key, and the key names the person.
    shape: z.object({ PK: z.string(), id: z.string() }),
    message: ({ PK, id: noticeId }) => {
      const userId = PK.slice('USER#'.length)
      const body: NoticeMessage = { userId, noticeId }
      return { queue: 'drain', body, group: userId }
    },
  }),
  sweepRule({
    type: 'UnsentEmail',
    shape: z.object({ id: z.string() }),
    message: ({ id: emailId }) => {
      const body: UnsentEmailMessage = { emailId }
      return { queue: 'drain', body, group: emailId }
    },
  }),
]
