import slack from '../node_modules/@slack/web-api/package.json' with { type: 'json' }
import type { RecordedAnswer } from './record.ts'
import type { Source } from './source.ts'
import { checkTypes } from './types.ts'

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** What the types, which are made from examples, lack. */
const corrected: Readonly<Record<string, string>> = {
  // Null outside of Enterprise Grid (Slack, oauth.v2.access, example response).
  'slack.OauthV2AccessResponse': `Omit<slack.OauthV2AccessResponse, 'enterprise'>
    & { enterprise?: slack.OauthV2AccessResponse['enterprise'] | null }`,
  // A reply that is shown in its channel (Slack, message event, subtype thread_broadcast).
  'slack.ConversationsRepliesResponse': `Omit<slack.ConversationsRepliesResponse, 'messages'>
    & { messages?: (NonNullable<slack.ConversationsRepliesResponse['messages']>[number] & { subtype?: 'thread_broadcast' })[] }`,
}

/** What `@slack/web-api` calls the response of a method: `ChatPostMessageResponse`. */
const nameOf = ({ route }: RecordedAnswer) => route.replace('/api/', '').split('.').map(capitalized).join('')
const imports = "import type * as slack from '@slack/web-api'"
/** What it calls what a method is sent: `ChatPostMessageArguments`. */
const argumentsOf = (answer: RecordedAnswer) => `slack.${nameOf(answer)}Arguments`

function typeOf(answer: RecordedAnswer): string {
  const name = `slack.${nameOf(answer)}Response`
  return (corrected[name] ?? name).replaceAll(/\n\s*/g, ' ')
}

const isMethod = ({ route }: RecordedAnswer) => route.startsWith('/api/')

/** Tests send blocks that Slack does not know, to see them refused. */
const isRefused = ({ body }: RecordedAnswer) => Object(body)['error'] === 'invalid_blocks'

export const slackSource: Source = {
  platform: 'slack',
  file: 'response types of @slack/web-api',
  version: slack.version,
  check(answers) {
    const methods = answers.filter(isMethod)
    const typed = methods.map((answer) => ({ type: typeOf(answer), body: answer.body }))
    const checked = checkTypes(imports, typed)
    return answers.map((answer) => (isMethod(answer) ? checked[methods.indexOf(answer)] : undefined))
  },
  checkSent(answers) {
    const sent = answers.filter((answer) => answer.sent !== undefined && !isRefused(answer))
    const typed = sent.map((answer) => ({ type: argumentsOf(answer), body: answer.sent }))
    const checked = checkTypes(imports, typed)
    return answers.map((answer) => checked[sent.indexOf(answer)])
  },
  undescribed: { 'POST /upload/v1/:door': 'Slack, Working with files: 200 with a text' },
}
