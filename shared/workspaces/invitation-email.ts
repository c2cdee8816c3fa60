import { type EmailMessage, sendEmail } from '../aws/email.ts'
import type { Context } from '../context.ts'
import { type Invitation, invitationDays } from './invitation.ts'

/** The invitation email. Like all emails it repeats nothing that was typed: names are shown behind the link. */
const invitationEmail = ({ email }: Pick<Invitation, 'email'>, inviter: string, link: string): EmailMessage => ({
  to: email,
  subject: 'You are invited to a workspace',
  text: `${inviter} invites you to a workspace. Open this link to see the invitation and accept it:

${link}

The link works once, for ${invitationDays} days, and only for this email address. If you do not know the sender, ignore this email.
`,
})

/** Emails the link of an invitation; false if the email was not sent. */
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
