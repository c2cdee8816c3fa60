import { type GetPromptResult, type ListPromptsResult, ProtocolError } from '@modelcontextprotocol/server'

interface Prompt {
  title: string
  description: string
  arguments: readonly { name: string; description: string; required: boolean }[]
  text(given: Readonly<Record<string, string>>): string
}

/** The common jobs. What a person types becomes part of their own message, and of nothing else. */
const prompts: Readonly<Record<string, Prompt>> = {
  announce: {
    title: 'Announce something on all accounts',
    description: 'Writes one announcement for each connected platform, checks it, and schedules it after a look.',
    arguments: [
      { name: 'news', description: 'What to announce.', required: true },
      { name: 'when', description: 'When, such as "tomorrow at nine".', required: false },
    ],
    text: ({ news = '', when = 'a time that you propose' }) =>
      `Announce this on my social accounts, at ${when}:\n\n${news}\n\nList the accounts and read the rules of their platforms. Write one text for each platform, check it with validate_post, and show me all texts before you schedule anything.`,
  },
  explain_failures: {
    title: 'What failed, and why?',
    description: 'Finds posts that failed or have an unknown outcome, and explains what to do about each.',
    arguments: [{ name: 'since', description: 'How far to look back, such as "last week".', required: false }],
    text: ({ since = 'the last seven days' }) =>
      `Which of my posts failed or have an unknown outcome in ${since}? Read the attempts of each, tell me the reason in one sentence, and what I should do. Change nothing.`,
  },
  plan_week: {
    title: 'Plan a week of posts',
    description: 'Plans posts for the next seven days as drafts, beside what is scheduled already.',
    arguments: [{ name: 'topic', description: 'What the posts are about.', required: true }],
    text: ({ topic = '' }) =>
      `Plan my posts of the next seven days about this:\n\n${topic}\n\nLook at what is scheduled already and at the rules of the platforms of my accounts. Propose days, times, and texts. Save them as drafts when I agree.`,
  },
}

export const listPrompts = (): ListPromptsResult => ({
  prompts: Object.entries(prompts).map(([name, { title, description, arguments: given }]) => ({
    ...{ name, title, description },
    arguments: given.map((argument) => ({ ...argument })),
  })),
})

const invalidParams = -32602

export const getPrompt = (name: string, given: Readonly<Record<string, string>> = {}): GetPromptResult => {
  const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined
  if (prompt === undefined) throw new ProtocolError(invalidParams, `There is no prompt "${name.slice(0, 60)}".`)
  const missing = prompt.arguments.find((argument) => argument.required && !given[argument.name])
  if (missing !== undefined) throw new ProtocolError(invalidParams, `The argument "${missing.name}" is required.`)
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.text(given) } }],
  }
}
