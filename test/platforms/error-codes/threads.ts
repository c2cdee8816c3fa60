import { site } from '../../../shared/platforms/threads/site.ts'
import type { Form } from './form.ts'
import { meta } from './meta.ts'

export const form: Form = meta(site)
