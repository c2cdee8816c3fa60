import { classifyWordPressError } from '../../../shared/platforms/wordpress/errors.ts'
import type { Form } from './form.ts'

/** A page of what stands before WordPress has no name. */
export const form: Form = {
  body: (code, message, status) => (code === 'none' ? message : { code, message, data: { status } }),
  classify: classifyWordPressError,
}
