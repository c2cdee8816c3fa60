import * as z from 'zod/mini'
import type { Context } from '../context.ts'
import { entity } from '../db/entity.ts'
import { absent, present } from '../db/expression.ts'
import { put } from '../db/table.ts'
import { Refusal } from '../errors/refusal.ts'
import { digest, random62 } from '../ids.ts'
import { hashedNetwork } from '../limits/network.ts'
import { minuteMs } from '../time.ts'
import { type Origin, type Proven, readAccount } from './prove-password.ts'
import { enter } from './sign-in.ts'

/** How many minutes the page waits for the code after the password. */
const stepMinutes = 5

/** A sign-in on the page after the right password, which waits for the code. */
const SignInStep = z.object({
  ticketHash: z.string(),
  email: z.string(),
  generation: z.number(),
  network: z.string(),
  expiresAt: z.string(),
})

const signInSteps = entity({
  type: 'SignInStep',
  shape: SignInStep,
  key: ({ ticketHash }: { ticketHash: string }) => ({ PK: `STEP#${ticketHash}`, SK: 'STEP' }),
  indexes: ({ expiresAt }) => ({ ttl: Math.ceil(Date.parse(expiresAt) / 1000) }),
})

const over = () =>
  new Refusal('invalid', 'This sign-in took longer than five minutes. Enter your password again.', {
    code: 'sign_in_expired',
  })

/** Stores that a password was right; returns the ticket that the page sends with the code. */
export const beginCodeStep = async (ctx: Context, { credential }: Proven, { ip }: Origin): Promise<string> => {
  const ticket = random62(43)
  const { email, sessionGeneration: generation = 0 } = credential
  const expiresAt = new Date(ctx.clock.now() + stepMinutes * minuteMs).toISOString()
  const row = { ticketHash: digest(ticket), email, generation, network: hashedNetwork(ip), expiresAt }
  await put(ctx, signInSteps.item(row), absent('PK'))
  return ticket
}

/** Signs in with a ticket and a code. A changed or reset password ends the ticket. */
export const enterByStep = async (ctx: Context, ticket: string, code: string, origin: Origin) => {
  const step = await signInSteps.get(ctx, { ticketHash: digest(ticket) })
  const isOver = step === undefined || Date.parse(step.expiresAt) <= ctx.clock.now()
  if (isOver || step.network !== hashedNetwork(origin.ip)) throw over()
  const { credential, ...account } = await readAccount(ctx, step.email, origin.ip)
  if (credential?.verified !== true || (credential.sessionGeneration ?? 0) !== step.generation) throw over()
  const spend = { delete: signInSteps.key(step), when: present('PK') }
  return enter(ctx, { credential, ...account }, code, origin, [spend])
}
