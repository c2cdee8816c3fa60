import { guides } from './guides.ts'

const intro = `# Social Publishing Service

> A REST service that schedules posts, publishes them to fifteen social platforms, and reports every outcome with signed webhooks.

Send a token with every request (\`Authorization: Bearer …\`), and \`X-Workspace-Id\` with the routes of a workspace. Successful
responses are \`{ "success": true, "data": … }\`; errors have a \`code\`, a sentence in \`error\`, and a \`docUrl\`.
`

/** /llms.txt (https://llmstxt.org): the available documents, with links. `{baseUrl}` stands for the address of the service. */
export const llmsText = (): string =>
  [
    intro,
    '## Guides\n',
    ...guides().map(({ name, title, summary }) => `- [${title}]({baseUrl}/api/docs/guides/${name}.md): ${summary}`),
    '\n## Reference\n',
    '- [OpenAPI 3.1 document]({baseUrl}/api/openapi.json): every operation, field, error, and event.',
    '- [Rules of the platforms]({baseUrl}/api/platforms): text limits, files, and metadata as data.',
    '\n## Optional\n',
    '- [All guides in one file]({baseUrl}/llms-full.txt)',
    '- [Reference for people]({baseUrl}/api/docs)',
    '',
  ].join('\n')

/** /llms-full.txt: all guides as one text. */
export const llmsFullText = (): string =>
  [
    intro,
    ...guides().map(({ markdown }) =>
      markdown.replaceAll(/\]\(([\w-]+\.md(?:#[\w-]+)?)\)/g, ']({baseUrl}/api/docs/guides/$1)'),
    ),
  ].join('\n')
