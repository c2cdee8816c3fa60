import * as z from 'zod/mini'
import { decryptText } from '../aws/keys.ts'
import type { Context } from '../context.ts'
import type { Credentials } from '../platforms/account.ts'
import type { Workspace } from '../workspaces/workspace.ts'
import { credentialsPurpose } from './encrypt-credentials.ts'
import type { SocialAccount } from './social-account.ts'

const Opened = z.record(z.string(), z.union([z.string(), z.number()]))

/** The decrypted credentials of an account, whether or not they still work. */
export const decryptCredentials = async (
  ctx: Context,
  workspace: Workspace,
  account: SocialAccount,
): Promise<Credentials> =>
  z.parse(Opened, JSON.parse(await decryptText(ctx, workspace, credentialsPurpose(account), account.credentials)))
