import { classifyRedditError, errorIn } from '../../../shared/platforms/reddit/errors.ts'
import type { Form } from './form.ts'

export const form: Form = {
  body: (code, reason, status) =>
    status === 200 ? { json: { errors: [[code, reason, 'field']] } } : { message: reason, error: status, reason: code },
  headers: (code) => (code === 'insufficient_scope' ? { 'www-authenticate': `Bearer error="${code}"` } : {}),
  classify: (response) => (response.status === 200 ? errorIn(response) : undefined) ?? classifyRedditError(response),
}
