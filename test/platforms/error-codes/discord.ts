import { classifyDiscordError } from '../../../shared/platforms/discord/errors.ts'
import type { Form } from './form.ts'

export const form: Form = {
  body: (code, message) => ({ code: Number(code) || 0, message }),
  classify: classifyDiscordError,
}
