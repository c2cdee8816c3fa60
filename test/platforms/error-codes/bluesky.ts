import { classifyBlueskyError, classifyFailedVideo } from '../../../shared/platforms/bluesky/errors.ts'
import type { Form } from './form.ts'

export const form: Form = {
  body: (error, message) => ({ error, message }),
  classify: classifyBlueskyError,
  classifyFailed: (code) => classifyFailedVideo(code, ''),
}
