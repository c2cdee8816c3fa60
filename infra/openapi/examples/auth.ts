import type * as auth from '../../../functions/api/auth/index.ts'
import type { ExamplesOf } from './example.ts'
import { story } from './story.ts'

const { email, oneTimeCode: code, workspace } = story
const password = 'correct horse battery'
const newPassword = 'a longer and better phrase'

export const authExamples: ExamplesOf<typeof auth> = {
  signUp: { request: { email: 'ben@bakery.example', password, name: 'Ben Miller' } },
  verifyEmail: { query: { token: story.verificationToken } },
  resendVerification: { request: { email } },
  signIn: { request: { email, password } },
  signOut: {},
  getSession: {},
  listSessions: { query: { limit: 2 } },
  revokeSession: { params: { id: story.session } },
  revokeOtherSessions: {},
  changePassword: { request: { currentPassword: password, newPassword } },
  requestPasswordReset: { request: { email } },
  resetPassword: { request: { token: story.resetToken, newPassword } },
  enrollTwoFactor: { request: { password } },
  confirmTwoFactor: { request: { code } },
  replaceRecoveryCodes: { request: { password, code } },
  disableTwoFactor: { request: { password, code } },
  previewDeletion: {},
  deleteAccount: { request: { password, code, deleteWorkspaces: [workspace] } },
}
