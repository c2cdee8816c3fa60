import { site } from '../../../shared/platforms/facebook/site.ts'
import type { Form } from './form.ts'
import { meta } from './meta.ts'

export const form: Form = meta(site)
