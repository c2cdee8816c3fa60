import * as z from 'zod/mini'
import { classifySlackError, classifyStatus } from '../../../shared/platforms/slack/errors.ts'
import type { Form } from './form.ts'

const SlackError = z.object({ error: z.string() })

export const form: Form = {
  body: (error) => ({ ok: false, error }),
  classify(response) {
    const code = z.parse(SlackError, response.body).error
    return response.status === 200 ? classifySlackError(code, response, true) : classifyStatus(code, response, true)
  },
}
