import { encryptText } from '../aws/keys.ts'
import type { Context } from '../context.ts'
import type { Credentials } from '../platforms/account.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import type { SocialAccount } from './social-account.ts'

/** The purpose with which an account's credentials are encrypted. */
export const credentialsPurpose = (account: Pick<SocialAccount, 'id'>): string => `social-account ${account.id}`

/** Credentials as stored in the row. */
export const encryptCredentials = (
  ctx: Context,
  workspace: Workspace,
  account: Pick<SocialAccount, 'id'>,
  credentials: Credentials,
): Promise<string> => encryptText(ctx, workspace, credentialsPurpose(account), JSON.stringify(credentials))
