import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { timestamp } from '../http/moment.ts'
import { msOfUlid } from '../ids.ts'
import { credentialTypes } from './actor.ts'
import type { AuditEntry } from './entry.ts'

const text = (description: string) => described(z.string(), description)
const textOrNull = (description: string) => described(z.nullable(z.string()), description)

const fields = (description: string) =>
  described(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.readonly(z.array(z.string()))])),
    description,
  )

/** An entry as the API shows it. */
export const AuditEntryView = z
  .object({
    id: text('The id of the entry. Ids are in the order of time.'),
    createdAt: timestamp('When the change was made.'),
    action: text('What was done, such as `token.created`. New actions can be added.'),
    target: described(
      z.object({
        type: text('The kind of the object, such as `token`.'),
        id: text('The id of the object. For a member, the id of the person.'),
      }),
      'What was changed.',
    ),
    actor: described(
      z.object({
        userId: textOrNull('The id of the person; null if no person made the change.'),
        name: textOrNull('The present name of the person; null if no person made the change, or they no longer exist.'),
        email: textOrNull('The present address of the person; null in the same cases.'),
      }),
      'Who made the change.',
    ),
    credential: described(
      z.object({
        type: described(
          z.enum(credentialTypes),
          'With what it was made: a `session`, a personal access `token`, an `assistant`, a `link` that the person requested, a command of the `operator`, or the service itself (`system`).',
        ),
        id: textOrNull(
          'The id of the session, token, or connection of an assistant, or the name of the command or of the part of the service. For a `link`, the id of the token or connection that requested it, or null.',
        ),
        client: z.optional(text('The name of the assistant, as it named itself.')),
      }),
      'By which credential.',
    ),
    ip: textOrNull('The address of the client; null if the change was not a request.'),
    userAgent: textOrNull('The first 100 characters of the header `User-Agent`.'),
    requestId: textOrNull('The ID that the service gave the request; null if the change was not a request.'),
    clientRequestId: textOrNull('The `X-Request-Id` that the caller sent, or null.'),
    before: fields('The fields that changed, with their earlier values. Never a secret.'),
    after: fields('The same fields with their new values. A created object has only these.'),
    truncated: described(z.array(z.string()), 'The fields whose values are cut, because an entry is small.'),
  })
  .register(z.globalRegistry, {
    id: 'AuditEntry',
    description: 'A change in a workspace, and who made it.',
    examples: [
      {
        id: '01KAJ3V9Q6M0T4W2Y8Z5X7C1B3',
        createdAt: '2026-11-21T09:30:12.070Z',
        action: 'member.role_changed',
        target: { type: 'member', id: 'k3Jd9XqLw2Ra' },
        actor: { userId: 'Zt7Pq1MnB4sC', name: 'Ada Baker', email: 'ada@bakery.example' },
        credential: { type: 'session', id: 'h8WqT2xK' },
        ip: '203.0.113.7',
        userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
        requestId: 'JZ3a2E5jIAMFYXA=',
        clientRequestId: null,
        before: { role: 'member' },
        after: { role: 'admin' },
        truncated: [],
      },
    ],
  })

/** The person who made a change, as they are now: empty texts while their account is being deleted. */
export interface AuditedPerson {
  name: string
  email: string
}

export const viewEntry = (entry: AuditEntry, person: AuditedPerson | undefined): z.infer<typeof AuditEntryView> => {
  const { id, action, targetType, targetId, before, after, truncated } = entry
  const { userId, credential, ip, userAgent, requestId, clientRequestId = null } = entry.actor
  return {
    id,
    createdAt: new Date(msOfUlid(id)).toISOString(),
    action,
    target: { type: targetType, id: targetId },
    actor: { userId, name: person?.name || null, email: person?.email || null },
    ...{ credential, ip, userAgent, requestId, clientRequestId, before, after, truncated },
  }
}
