import type { SocialAccount } from '../../social-accounts/social-account.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import type { Post } from '../lifecycle/row.ts'

/** A post with what its end needs, whatever became of its account. */
export interface Endable {
  workspace: Workspace
  post: Post
  text: string
}

export interface Publication extends Endable {
  account: SocialAccount
}
