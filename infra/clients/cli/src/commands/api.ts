import type { Command } from 'commander'
import { call } from '../../../javascript/src/call.ts'
import { pagesOf } from '../../../javascript/src/create-client.ts'
import { type Operation, operationOf } from '../../../javascript/src/operation.ts'
import { operations } from '../../../javascript/src/operations.ts'
import type { Cli } from '../cli.ts'
import { Usage } from '../errors.ts'
import { repeatedOption } from '../options.ts'
import { clientOptions, openSession, openWorkspace } from '../session.ts'
import { readStdin, readTextFile } from '../text.ts'

interface Options {
  field?: string[]
  jsonField?: string[]
  header?: string[]
  input?: string
  paginate?: boolean
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const methodNamed = (text: string): string => {
  const method = text.toUpperCase()
  if (methods.includes(method)) return method
  throw new Usage(`"${text}" is not a method. The methods are ${methods.join(', ')}.`)
}

/** The path at the service: `posts` is `/api/posts`. The token is sent to no other service. */
const pathAt = (baseUrl: string, text: string): string => {
  const path = text.startsWith(`${baseUrl}/`) ? text.slice(baseUrl.length) : text
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) {
    throw new Usage(`"${text}" is not at ${baseUrl}, the only service that gets the token. Give a path, such as posts.`)
  }
  if (path.startsWith('/')) return path
  return path.startsWith('api/') ? `/${path}` : `/api/${path}`
}

/** A pair such as `key=value`. An error shows no value, which may be a secret. */
const pairOf = (flag: string, text: string, separator: '=' | ':'): [string, string] => {
  const [name = '', ...rest] = text.split(separator)
  if (name.trim() !== '' && rest.length > 0) return [name.trim(), rest.join(separator)]
  throw new Usage(`${flag} takes a name, "${separator}", and a value.`)
}

const jsonOf = (text: string, problem: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Usage(problem)
  }
}

const fieldsOf = ({ field = [], jsonField = [] }: Options): [string, unknown][] => [
  ...field.map((text) => pairOf('--field', text, '=')),
  ...jsonField.map((text): [string, unknown] => {
    const [name, value] = pairOf('--json-field', text, '=')
    return [name, jsonOf(value, `The value of "${name}" is not JSON. Give a text with --field.`)]
  }),
]

const headersOf = ({ header = [] }: Options): Headers => {
  const headers = new Headers()
  for (const text of header) {
    const [name, value] = pairOf('--header', text, ':')
    // Arguments are visible in the process list.
    if (name.toLowerCase() === 'authorization') {
      throw new Usage('The token is that of the sign-in. Choose another one with --profile or SOCIAL_TOKEN.')
    }
    try {
      headers.set(name, value.trim())
    } catch {
      throw new Usage(`"${name}" cannot be sent as a header.`)
    }
  }
  return headers
}

/** The body as stored in a file or sent on stdin, with every digit of its numbers. */
const inputOf = async (cli: Cli, path: string): Promise<Blob> => {
  const text = path === '-' ? await readStdin(cli.out, 'the JSON') : await readTextFile(path)
  jsonOf(text, `${path === '-' ? 'The input' : `"${path}"`} is not JSON.`)
  return new Blob([text], { type: 'application/json' })
}

const matches = (operation: Operation, method: string, path: string): boolean =>
  operation.method === method && new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** The known properties of a request: whether it takes an Idempotency-Key, and whether it may be repeated. */
const operationAt = (method: string, path: string): Operation => {
  const matching = Object.values(operations)
    .flatMap((group) => Object.values(group))
    .map(operationOf)
    .filter((operation) => matches(operation, method, path))
    // `/api/media/complete` is not an ID.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  return matching[0] ?? operationOf(`${method} ${path} w`)
}

/** The workspace of a request: that of its path, or that of the sign-in. */
const openFor = async (cli: Cli, { workspace }: Operation, path: string) => {
  const [, workspaceId] = /^\/api\/workspaces\/(ws_\w+)/.exec(path) ?? []
  return workspaceId !== undefined || !workspace ? { ...openSession(cli), workspaceId } : openWorkspace(cli)
}

interface Request {
  method: string
  /** The path as given. */
  target: string
  headers: Headers
  fields: readonly [string, unknown][]
}

/** Reads the arguments, and rejects what does not fit together. */
const requestOf = (given: readonly string[], options: Options): Request => {
  const [target = '', named, ...more] = given.toReversed()
  if (more.length > 0) throw new Usage('Give a method and a path: social api POST posts/validate')
  const [fields, headers] = [fieldsOf(options), headersOf(options)]
  const hasInput = options.input !== undefined
  const method = methodNamed(named ?? (fields.length > 0 || hasInput ? 'POST' : 'GET'))
  if (options.paginate && method !== 'GET') throw new Usage('--paginate is for GET.')
  if (hasInput && method === 'GET') throw new Usage('A GET has no body. Leave out --input.')
  if (hasInput && fields.length > 0) throw new Usage('Give the body once: with --input, or with fields.')
  return { method, target, headers, fields }
}

const bodyOf = async (cli: Cli, { method, fields }: Request, input: string | undefined) => {
  if (input !== undefined) return inputOf(cli, input)
  return method !== 'GET' && fields.length > 0 ? Object.fromEntries(fields) : undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** The page in the body of a response. */
const pageIn = (body: unknown, path: string): unknown => {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  if (typeof data === 'object' && data !== null && 'items' in data && Array.isArray(data.items)) return data
  throw new Usage(`"${path}" is not a list with pages. Leave out --paginate.`)
}

const api = async (cli: Cli, given: readonly string[], options: Options): Promise<void> => {
  const { stopped: signal } = cli
  const request = requestOf(given, options)
  const { method, target, headers, fields } = request
  const { baseUrl, token } = openSession(cli)
  const [path = '', search] = (pathAt(baseUrl, target).split('#', 1)[0] ?? '').split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  if (method === 'GET') for (const [name, value] of fields) query.set(name, textOf(value))
  const body = await bodyOf(cli, request, options.input)
  const known = operationAt(method, path)
  const { workspaceId } = await openFor(cli, known, path)
  const operation = { ...known, anyone: false, workspace: true, raw: true }
  const how = { signal, headers: Object.fromEntries(headers), ifMatch: headers.get('If-Match') ?? undefined }
  const send = async (parameters: URLSearchParams) => {
    const sent = { path: parameters.size > 0 ? `${path}?${parameters}` : path, body, workspaceId }
    return (await call(clientOptions(baseUrl, token), operation, sent, how)).data
  }
  if (!options.paginate) return print(cli, await send(query))
  const items: unknown[] = []
  const read = async (here: Readonly<Record<string, unknown>>) => {
    const parameters = Object.entries(here).map(([name, value]): [string, string] => [name, textOf(value)])
    return pageIn(await send(new URLSearchParams(parameters)), target)
  }
  for await (const page of pagesOf(read, Object.fromEntries(query))) items.push(...page.items)
  print(cli, items)
}

/** Prints JSON as JSON, any other text unchanged, and nothing for an empty response. */
const print = ({ out }: Cli, body: unknown): void =>
  out.result(body, () => {
    if (body === undefined || body === '') return
    out.line(typeof body === 'string' ? body.replace(/\n$/, '') : JSON.stringify(body, undefined, 2))
  })

export const addApi = (program: Command, cli: Cli): void => {
  program
    .command('api')
    .summary('send any request to the API')
    .description('Sends a request to the API with your sign-in, and prints the JSON of the response.')
    .usage('[options] [method] <path>')
    .argument('<request...>', 'a path, such as posts or /api/posts')
    .addOption(repeatedOption('-f, --field <name=text>', 'a field of the body; with GET, of the query'))
    .addOption(repeatedOption('-F, --json-field <name=json>', 'a field whose value is JSON'))
    .addOption(repeatedOption('-H, --header <name:value>', 'a header'))
    .option('--input <file>', 'read the body, in JSON, from a file; "-" for stdin')
    .option('--paginate', 'print the items of all pages as one array')
    .addHelpText(
      'after',
      `
The method is GET, or POST with fields or --input.
Examples:
  social api "posts?status=failed" --paginate
  social api POST drafts -f content="An idea" -F 'socialAccountIds=[]'
  social api DELETE drafts/drf_01K9ZJ3V6Q8N5W2R7T4Y0X1C3B`,
    )
    .action((request: string[], options: Options) => api(cli, request, options))
}
