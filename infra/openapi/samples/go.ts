import type { SampledCall } from './call.ts'

const failed = ['\tif err != nil {', '\t\tpanic(err)', '\t}']

/** The call as a Go program, with the standard library. */
export const inGo = ({ method, path, token, workspace, idempotent, body }: SampledCall): string => {
  const [before = '', after] = path.split('$WORKSPACE')
  const tail = after === undefined ? '' : `+os.Getenv("WORKSPACE")${after === '' ? '' : `+"${after}"`}`
  const content = body === undefined ? 'nil' : `strings.NewReader(\`${JSON.stringify(body, null, 2)}\`)`
  const packages = [
    'fmt',
    'io',
    'net/http',
    'os',
    ...(body === undefined ? [] : ['strings']),
    ...(idempotent ? ['time'] : []),
  ]
  const headers = [
    ...(token === null ? [] : [`"Authorization", "Bearer "+os.Getenv("${token}")`]),
    ...(workspace ? ['"X-Workspace-Id", os.Getenv("WORKSPACE")'] : []),
    ...(idempotent ? ['"Idempotency-Key", fmt.Sprint(time.Now().UnixNano())'] : []),
    ...(body === undefined ? [] : ['"Content-Type", "application/json"']),
  ]
  return [
    'package main',
    '',
    'import (',
    ...packages.map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(body === undefined ? [] : [`\tbody := ${content}`]),
    `\trequest, err := http.NewRequest("${method}", os.Getenv("BASE")+"${before}"${tail}, ${body === undefined ? 'nil' : 'body'})`,
    ...failed,
    ...headers.map((header) => `\trequest.Header.Set(${header})`),
    '\tresponse, err := http.DefaultClient.Do(request)',
    ...failed,
    '\tdefer response.Body.Close()',
    '\ttext, err := io.ReadAll(response.Body)',
    ...failed,
    '\tfmt.Println(response.StatusCode, string(text))',
    '}',
    '',
  ].join('\n')
}
