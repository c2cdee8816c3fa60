import { classifyYouTubeError } from '../../../shared/platforms/youtube/errors.ts'
import type { Form } from './form.ts'

export const form: Form = {
  body: (reason, message) => ({ error: { message, errors: [{ reason }] } }),
  classify: classifyYouTubeError,
}
