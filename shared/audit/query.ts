import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { Id } from '../http/id.ts'
import { Moment } from '../http/moment.ts'
import { cursorLike, pageQuery } from '../http/page.ts'
import { type AuditAction, auditActions, auditTargets } from './actions.ts'

const actions = Object.keys(auditActions) as [AuditAction, ...AuditAction[]]

const ActionList = described(
  z.pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => text.split(',')),
      z.array(z.enum(actions)),
    ),
  ),
  'Actions, separated by commas.',
)

/** The query of the audit trail. */
export const AuditQuery = z.strictObject({
  action: z.optional(ActionList),
  actorId: described(z.optional(Id), 'Only changes by the person with this id.'),
  targetType: described(z.optional(z.enum(auditTargets)), 'Only changes of objects of this kind.'),
  targetId: described(z.optional(Id), 'Only changes of the object with this id.'),
  from: described(z.optional(Moment), 'Only changes at this time or later.'),
  to: described(z.optional(Moment), 'Only changes at this time or earlier.'),
  cursor: cursorLike(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  limit: described(pageQuery.limit, 'The most entries of the page, 1 to 200.'),
})
export type AuditQuery = z.infer<typeof AuditQuery>
