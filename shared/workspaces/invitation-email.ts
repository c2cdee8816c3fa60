import { type EmailMessage, sendEmail } from '../aws/email.ts'
import type { Context } from '../context.ts'
import { type Invitation, invitationDays } from './invitation.ts'

/** Asks somebody into a workspace. Like all letters it repeats nothing that was typed: names are shown behind the link. */
const invitationEmail = ({ email }: Pick<Invitation, 'email'>, inviter: string, link: string): EmailMessage => ({
  to: email,
  subject: 'You are invited to a workspace',
  text: `${inviter} invites you to work together in a workspace. Open this link to see it and to accept:

${link}

The link works once, for ${invitationDays} days, and only for this e-mail address. If you do not know the sender, do not open it.
`,
})

/** Sends an invitation its link; false where the mail did not leave. */
export const emailInvitation = async (
  ctx: Context,
  invitation: Invitation,
  inviter: string,
  token: string,
): Promise<boolean> => {
  try {
    await sendEmail(ctx, invitationEmail(invitation, inviter, `${ctx.env('BASE_URL')}/invite?token=${token}`))
    return true
  } catch (error) {
    ctx.log.error('an invitation was not sent', { invitationId: invitation.id, reason: String(error) })
    return false
  }
}
