import { classifyRedditError, errorIn } from '../../../shared/platforms/reddit/errors.ts'
import type { Form } from './form.ts'

export const form: Form = {
  body: (code, words, status) =>
    status === 200 ? { json: { errors: [[code, words, 'field']] } } : { message: words, error: status, reason: code },
  headers: (code) => (code === 'insufficient_scope' ? { 'www-authenticate': `Bearer error="${code}"` } : {}),
  classify: (response) => (response.status === 200 ? errorIn(response) : undefined) ?? classifyRedditError(response),
}
