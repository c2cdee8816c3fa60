import { classifyMastodonError } from '../../../shared/platforms/mastodon/errors.ts'
import type { Form } from './form.ts'

/** Errors have only a text. */
export const form: Form = {
  body: (_code, error) => ({ error }),
  classify: classifyMastodonError,
}
