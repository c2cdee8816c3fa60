import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runSnippet } from '../../webhooks/run-snippet.ts'
import { snippets } from '../../webhooks/snippets.ts'

/** The headers come as every framework gives them: by a name in any case. */
const inPython = `
import base64, email.message, json, sys
def headers_of(case):
    message = email.message.Message()
    for name, value in case["headers"].items():
        message[name] = value
    return message
print(json.dumps([is_genuine(headers_of(one), base64.b64decode(one["rawBody"]), one["secret"]) for one in json.load(sys.stdin)]))
`

const inGo = `
func main() {
	var cases []struct {
		Headers map[string]string
		RawBody []byte
		Secret  string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	taken := []bool{}
	for _, one := range cases {
		header := http.Header{}
		for name, value := range one.Headers {
			header.Set(name, value)
		}
		taken = append(taken, isGenuine(header, one.RawBody, one.Secret))
	}
	json.NewEncoder(os.Stdout).Encode(taken)
}
`

test('the lines for Python take what is genuine and nothing else', () => {
  const [code = ''] = snippets('python')
  const { expected, answered } = runSnippet('python3', ['-c', code + inPython])
  expect(answered).toEqual(expected)
})

test('the lines for Go take what is genuine and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [code = ''] = snippets('go')
  const file = join(folder, 'main.go')
  writeFileSync(file, `package main\n\nimport (\n\t"encoding/json"\n\t"os"\n)\n\n${code}${inGo}`)
  // The ages of the cases are those of the moment at which the program runs, and the compiler takes its time.
  const program = join(folder, 'main')
  execFileSync('go', ['build', '-o', program, file])
  const { expected, answered } = runSnippet(program, [])
  expect(answered).toEqual(expected)
})
