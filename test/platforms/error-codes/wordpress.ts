import { classifyWordPressError } from '../../../shared/platforms/wordpress/errors.ts'
import type { Form } from './form.ts'

/** An error page of a proxy before WordPress has no code. */
export const form: Form = {
  body: (code, message, status) => (code === 'none' ? message : { code, message, data: { status } }),
  classify: classifyWordPressError,
}
