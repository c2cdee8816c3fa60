import { classifyMediaServerError, classifyRelayRefusal } from '../../../shared/platforms/nostr/errors.ts'
import type { Form } from './form.ts'

/** Errors of relays have no status; those of media servers are in a header or a message. */
export const form: Form = {
  body: (_code, reason, status) => (status === 200 ? reason : { message: reason }),
  classify: (response) =>
    response.status === 200 ? classifyRelayRefusal(String(response.body)) : classifyMediaServerError(response),
}
