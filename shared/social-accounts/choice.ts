import * as z from 'zod/mini'
import { decryptText, encryptText } from '../aws/keys.ts'
import type { Context } from '../context.ts'
import { wasCurrent } from '../db/condition-failed.ts'
import { absent, allOf, atLeast, equal } from '../db/expression.ts'
import { put, update } from '../db/table.ts'
import { digest, random62 } from '../ids.ts'
import type { Connection } from '../platforms/account.ts'
import { platformIds } from '../resources.ts'
import { minuteMs } from '../time.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { ConnectIntent, linkKeyOf } from './oauth-state.ts'

const lifeMs = 10 * minuteMs
const purpose = 'accounts to choose from'

const Offered: z.ZodMiniType<Connection> = z.object({
  platform: z.enum(platformIds),
  providerName: z.string(),
  externalId: z.string(),
  username: z.nullable(z.string()),
  displayName: z.nullable(z.string()),
  profileImageUrl: z.nullable(z.string()),
  credentials: z.record(z.string(), z.union([z.string(), z.number()])),
  details: z.record(z.string(), z.union([z.string(), z.number()])),
  sharedGrant: z.optional(z.string()),
  accessEndsAtMs: z.optional(z.number()),
})

const Stored = z.extend(ConnectIntent, {
  expiresAtMs: z.number(),
  /** The accounts, until one is chosen. */
  sealed: z.optional(z.string()),
  /** The result, in sentences, and where the person returns with it. */
  outcome: z.optional(z.array(z.string())),
  returnUrl: z.optional(z.string()),
})

/** The accounts of one login from which a person has yet to select. */
export type Choice = z.infer<typeof Stored>

const key = (ticket: string) => ({ PK: `OAUTH#${digest(ticket)}`, SK: 'CHOICE' })

/** Stores the accounts until the person has selected; the ticket is the only way back to them. */
export const createChoice = async (
  ctx: Context,
  workspace: Workspace,
  intent: ConnectIntent,
  connections: readonly Connection[],
): Promise<string> => {
  const ticket = random62(43)
  const sealed = await encryptText(ctx, workspace, purpose, JSON.stringify(connections))
  const expiresAtMs = ctx.clock.now() + lifeMs
  const row = { ...z.parse(ConnectIntent, intent), sealed, expiresAtMs, ttl: Math.ceil(expiresAtMs / 1000) }
  await put(ctx, { ...key(ticket), type: 'AccountChoice', ...row }, absent('PK'))
  return ticket
}

/** The key of the choice of a ticket, for a read together with other rows. */
export const choiceKeyOf = key

/** The choice in a row until it expires. */
export const validChoiceIn = (ctx: Context, row: unknown): Choice | undefined => {
  const choice = row === undefined ? undefined : z.parse(Stored, row)
  return choice && choice.expiresAtMs >= ctx.clock.now() ? choice : undefined
}

/** The accounts to select from; undefined once they were selected. */
export const decryptOffered = async (
  ctx: Context,
  workspace: Workspace,
  { sealed }: Choice,
): Promise<readonly Connection[] | undefined> =>
  sealed === undefined
    ? undefined
    : z.parse(z.array(Offered), JSON.parse(await decryptText(ctx, workspace, purpose, sealed)))

/** Consumes a ticket; false if it was consumed before or has expired. */
export const consumeChoice = (ctx: Context, ticket: string): Promise<boolean> => {
  const now = ctx.clock.now()
  const fresh = allOf(equal('type', 'AccountChoice'), atLeast('expiresAtMs', now), absent('usedAtMs'))
  return wasCurrent(update(ctx, key(ticket), { set: { usedAtMs: now }, remove: ['sealed'] }, fresh))
}

const Ticket = z.string().check(z.maxLength(100))

/**
 * The URL of the page where accounts are selected; `missing` names what was missing in the submitted form, and `account` the
 * connection of a customer that is to be ended.
 */
export const ChoiceLink = z.object({
  ticket: Ticket,
  missing: z.optional(z.string().check(z.maxLength(20))),
  account: z.optional(z.string().check(z.maxLength(100))),
})

/** The form of the page where accounts are selected: one checkbox for each, named by its position in the list. */
export const ChoiceForm = z.catchall(z.object({ ticket: Ticket }), z.string())

/** The positions of the selected checkboxes. */
export const chosenIndexes = (form: Readonly<Record<string, string>>): ReadonlySet<number> =>
  new Set(Object.keys(form).flatMap((name) => (/^account_\d{1,4}$/.test(name) ? [Number(name.slice(8))] : [])))

const rows = {
  AccountChoice: choiceKeyOf,
  ConnectLink: linkKeyOf,
}

/** Stores the outcome of a ticket, in sentences, for its page, which shows it until the ticket expires. */
export const recordConnectOutcome = async (
  ctx: Context,
  type: keyof typeof rows,
  ticket: string,
  { outcome, returnUrl }: { outcome: readonly string[]; returnUrl: string | undefined },
): Promise<void> => {
  const set = { outcome: [...outcome], ...(returnUrl === undefined ? {} : { returnUrl }) }
  await update(ctx, rows[type](ticket), { set }, equal('type', type))
}
