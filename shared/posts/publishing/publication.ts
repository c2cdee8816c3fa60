import type { SocialAccount } from '../../social-accounts/social-account.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Post } from '../lifecycle/row.ts'

/** A post with what is needed to end it, even if its account is gone. */
export interface Endable {
  workspace: Workspace
  post: Post
  text: string
}

export interface Publication extends Endable {
  account: SocialAccount
}
