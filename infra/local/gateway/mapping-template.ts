import { localBaseUrl } from '../../deploy/stacks/names.ts'
import { gatewayRequestId } from '../../openapi/gateway-answers.ts'
import { type GatewayRequest, headerOf } from './request.ts'

/** The result of a mapping template for a request. */
interface Rendered {
  text: string
  /** The headers that the template overrides. */
  headers: Readonly<Record<string, string>>
}

/**
 * Implements the parts of the Velocity Template Language that our templates use, with each directive on a separate line:
 * `#set` of a text, `#if` with `contains`, `#else`, and `#end`. Anything else throws.
 */
export const renderTemplate = (template: string, request: GatewayRequest): Rendered => {
  const unknown = (part: string) => new Error(`the local gateway does not carry out "${part}" of a mapping template`)
  const variables = new Map<string, string>()
  const headers: Record<string, string> = {}

  const filled = (text: string): string => {
    const parameter = /\$!input\.params\('([\w-]+)'\)/g
    const own = text.replaceAll(gatewayRequestId, request.id).replaceAll(localBaseUrl, request.baseUrl)
    if (own.replace(parameter, '').includes('$')) throw unknown(text)
    return own.replace(parameter, (_, name: string) => request.query.get(name) ?? headerOf(request, name) ?? '')
  }
  const set = (line: string) => {
    const [, name = '', value = ''] = /^#set\(\$([\w.-]+) = "([^"]*)"\)$/.exec(line) ?? []
    if (name === '') throw unknown(line)
    const [, header] = /^context\.responseOverride\.header\.([\w-]+)$/.exec(name) ?? []
    if (header === undefined) variables.set(name, filled(value))
    else headers[header] = filled(value)
  }
  const isTrue = (line: string): boolean => {
    const [, condition = ''] = /^#if\((.+)\)$/.exec(line) ?? []
    return condition.split(' && ').every((part) => {
      const [, not, name = '', expected = ''] = /^(!?)\$(\w+)\.contains\('([^']*)'\)$/.exec(part) ?? []
      const value = variables.get(name)
      if (value === undefined) throw unknown(line)
      return value.includes(expected) !== (not === '!')
    })
  }

  const lines: string[] = []
  let skips = false
  for (const line of template.split('\n')) {
    if (line === '#end') skips = false
    else if (line === '#else') skips = !skips
    else if (line.startsWith('#if(')) skips = !isTrue(line)
    else if (skips) continue
    else if (line.startsWith('#set(')) set(line)
    else if (line.startsWith('#')) throw unknown(line)
    else lines.push(filled(line))
  }
  return { text: lines.join('\n'), headers }
}
