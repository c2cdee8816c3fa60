import type { Login } from '../oauth/login.ts'

/** A user with a TikTok account, and the account's rights. */
export interface TikTokCreator extends Login {
  readonly username: string
  readonly privacyLevels: readonly string[]
  readonly commentDisabled: boolean
  readonly maxSeconds: number
}

/** The people and the app of the TikTok stand-in. */
export const tiktokSeed = {
  /** TikTok has granted it drafts, too. */
  app: { clientId: 'local-tiktok-key', clientSecret: 'local-tiktok-client-secret', scopes: 'video.upload' },
  demo: {
    id: 'open-id-of-demo',
    name: 'Demo Creator',
    username: 'demo.creator',
    privacyLevels: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    commentDisabled: false,
    maxSeconds: 600,
  },
  /** A private account, where no one may comment. */
  shy: {
    id: 'open-id-of-shy',
    name: 'Shy Creator',
    username: 'shy.creator',
    privacyLevels: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
    commentDisabled: true,
    maxSeconds: 60,
  },
} as const satisfies Record<string, TikTokCreator | { clientId: string; clientSecret: string; scopes: string }>
