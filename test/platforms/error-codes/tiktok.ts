import { classifyFailReason, classifyTikTokError } from '../../../shared/platforms/tiktok/errors.ts'
import type { Form } from './form.ts'

export const form: Form = {
  body: (code, message) => ({ data: {}, error: { code, message } }),
  classify: classifyTikTokError,
  classifyFailed: (code) => classifyFailReason(code),
}
