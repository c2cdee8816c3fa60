import { classifyMediaServerError, classifyRelayRefusal } from '../../../shared/platforms/nostr/errors.ts'
import type { Form } from './form.ts'

/** What relays say comes without a status, what media servers say in a header or a message. */
export const form: Form = {
  body: (_code, words, status) => (status === 200 ? words : { message: words }),
  classify: (response) =>
    response.status === 200 ? classifyRelayRefusal(String(response.body)) : classifyMediaServerError(response),
}
