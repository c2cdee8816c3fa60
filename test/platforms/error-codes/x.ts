import { classifyXError } from '../../../shared/platforms/x/errors.ts'
import type { Form } from './form.ts'

export const form: Form = {
  body: (slug, detail, status) => ({ title: 'Title', detail, type: `x/problems/${slug}`, status }),
  classify: classifyXError,
}
