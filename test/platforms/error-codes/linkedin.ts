import { classifyLinkedInError } from '../../../shared/platforms/linkedin/errors.ts'
import type { Form } from './form.ts'

export const form: Form = {
  body: (code, message, status) => ({ status, code, message }),
  classify: classifyLinkedInError,
}
